import type { OutboundClient } from '../../delivery/outbound.js';
import { OutboundError } from '../../delivery/outbound-error.js';

export interface ArtSource {
  readonly outbound: Pick<OutboundClient, 'request' | 'allowLoopback'>;
  /** Fetches `ipfs://` addresses, without a trailing slash: `https://ipfs.io`. */
  readonly ipfsGateway: string;
  /** Whether addresses are fetched; otherwise only data URIs are read. */
  readonly isFetching: boolean;
  /** Of a request, in milliseconds; five seconds unless given. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 5000;
const MAX_METADATA_BYTES = 256 * 1024;
const MAX_REDIRECTS = 3;
/** Longer addresses are no pictures that a client could show in a list. */
const MAX_URL = 2048;
const MAX_DATA_URL = 8192;

/** @returns the web address of an `ipfs://` one; others unchanged */
const webAddress = (uri: string, gateway: string): string => {
  const [, path] = /^ipfs:\/\/(?:ipfs\/)?(.+)$/i.exec(uri) ?? [];
  return path === undefined ? uri : `${gateway}/ipfs/${path}`;
};

/** @returns the text of a data URI (RFC 2397); undefined for anything else */
const dataText = (uri: string): string | undefined => {
  const [, header, data] = /^data:([^,]{0,200}),([\s\S]*)$/i.exec(uri) ?? [];
  if (header === undefined || data === undefined) return undefined;
  if (/;\s*base64\s*$/i.test(header)) return Buffer.from(data, 'base64').toString('utf8');
  try {
    return decodeURIComponent(data);
  } catch {
    return data;
  }
};

/** @returns the document at an address; undefined if it cannot be read */
const fetchText = async (
  address: string,
  { outbound, timeoutMs = TIMEOUT_MS }: ArtSource,
): Promise<string | undefined> => {
  let target = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    if (!URL.canParse(target)) return undefined;
    const url = new URL(target);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
    const { status, headers, body } = await outbound.request({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      timeoutMs,
      maxBytes: MAX_METADATA_BYTES,
      acceptsEncoded: true,
      acceptsRedirect: true,
      allowsHttp: outbound.allowLoopback,
    });
    if (status < 300) return body.toString('utf8');
    const { location } = headers;
    if (status >= 400 || location === undefined || !URL.canParse(location, target)) return undefined;
    target = new URL(location, target).href;
  }
  return undefined;
};

/** @returns the picture of contract metadata as an address that a browser opens; undefined without one */
const pictureIn = (text: string, gateway: string): string | undefined => {
  let image: unknown;
  try {
    image = (JSON.parse(text) as { image?: unknown } | null)?.image;
  } catch {
    return undefined;
  }
  if (typeof image !== 'string') return undefined;
  const address = webAddress(image.trim(), gateway);
  if (/^data:image\/[a-z0-9.+-]+[;,][ -~]*$/i.test(address))
    return address.length <= MAX_DATA_URL ? address : undefined;
  if (address.length > MAX_URL || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
};

/**
 * Reads the picture of a subscription contract from its metadata (`image` in the JSON at its `contractURI()`). Anybody
 * chooses that address, so it is called by the outbound client alone, for five seconds at most.
 * @returns undefined if the metadata cannot be read, or has no picture
 */
export const readArt = async (uri: string, source: ArtSource): Promise<string | undefined> => {
  const { ipfsGateway, isFetching } = source;
  try {
    const text = dataText(uri) ?? (isFetching ? await fetchText(webAddress(uri, ipfsGateway), source) : undefined);
    return text === undefined ? undefined : pictureIn(text, ipfsGateway);
  } catch (error) {
    if (error instanceof OutboundError) return undefined;
    throw error;
  }
};
