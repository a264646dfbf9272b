import { Value } from 'typebox/value';
import { OutboundError } from '../delivery/outbound-error.js';
import { EmbedUrlMetadata } from '../schema/social/embed-url.js';
import type { DocumentReader } from './document-reader.js';
import type { ReceivedDocument } from './document-thread.js';
import { isPlaylist, mediaType } from './media-type.js';
import type { FetchedPage, PageFetch } from './page-fetch.js';

/** The metadata of pages and images is at their beginning. */
const MAX_BYTES = 1024 * 1024;
const MAX_OEMBED_BYTES = 64 * 1024;
const MAX_REDIRECTS = 5;
const ACCEPT = 'text/html,application/xhtml+xml,image/*;q=0.9,*/*;q=0.8';

/** Fetches addresses, and reads what they return. */
export interface UrlReader {
  readonly fetchPage: PageFetch;
  readonly reader: DocumentReader;
}

type Details = Pick<EmbedUrlMetadata, 'html' | 'frame' | 'image' | 'video'>;

/** Reads more about a page from a second address that it names; undefined when that cannot be read. */
type FetchMore = (url: string, maxBytes: number) => Promise<FetchedPage | undefined>;

const documentOf = ({ body, headers, url }: FetchedPage): ReceivedDocument => ({
  body,
  contentType: headers['content-type'] ?? '',
  url: url.href,
});

const describeHtml = async (reader: DocumentReader, page: FetchedPage, more: FetchMore): Promise<Details> => {
  const { html, frame, oembed: address } = await reader.read('page', documentOf(page));
  const provider = address === undefined ? undefined : await more(address, MAX_OEMBED_BYTES);
  const oembed = provider?.status === 200 ? await reader.read('oembed', documentOf(provider)) : undefined;
  return { html: { ...html, ...(oembed && { oembed }) }, ...(frame && { frame }) };
};

const describePlaylist = async (reader: DocumentReader, page: FetchedPage, more: FetchMore): Promise<Details> => {
  const list = await reader.read('playlist', documentOf(page));
  const variant = list.variant === undefined ? undefined : await more(list.variant, MAX_BYTES);
  const { duration } = variant?.status === 200 ? await reader.read('playlist', documentOf(variant)) : list;
  return { video: { stream: list.streams, ...(duration !== undefined && { duration_s: duration }) } };
};

const describe = async (reader: DocumentReader, page: FetchedPage, more: FetchMore): Promise<Details> => {
  const type = mediaType(page.headers['content-type']);
  if (type === 'text/html' || type === 'application/xhtml+xml') return describeHtml(reader, page, more);
  if (isPlaylist(type)) return describePlaylist(reader, page, more);
  const image = type.startsWith('image/') ? await reader.read('image', documentOf(page)) : undefined;
  return image ? { image } : {};
};

/** @returns the length that the server states, if it is that of the resource itself */
const lengthOf = ({ headers }: FetchedPage): number | null =>
  headers['content-encoding'] === undefined && /^\d{1,15}$/.test(headers['content-length'] ?? '')
    ? Number(headers['content-length'])
    : null;

/**
 * Reads what a cast that embeds an address needs to show it.
 * @param deadline Unix milliseconds, for everything
 * @returns `_status` is `RESOLVED`, or `HTTP_ERROR` for a response with the status 400 or more
 * @throws OutboundError if there is no response, or one that is not readable
 * @throws DocumentError if what was received takes too long to read
 */
export const describeUrl = async (
  { fetchPage, reader }: UrlReader,
  url: URL,
  deadline: number,
): Promise<EmbedUrlMetadata> => {
  const options = { deadline, maxRedirects: MAX_REDIRECTS, cutsBody: true };
  const page = await fetchPage({ url, headers: { accept: ACCEPT }, maxBytes: MAX_BYTES, ...options });
  const contentType = page.headers['content-type'];
  const known = { content_type: contentType?.slice(0, 200) ?? null, content_length: lengthOf(page) };
  if (page.status >= 300) return { _status: 'HTTP_ERROR', ...known };
  const more: FetchMore = async (address, maxBytes) => {
    if (!URL.canParse(address, page.url.href)) return undefined;
    try {
      return await fetchPage({ url: new URL(address, page.url), maxBytes, ...options });
    } catch (error) {
      if (error instanceof OutboundError) return undefined;
      throw error;
    }
  };
  const metadata = { _status: 'RESOLVED', ...known, ...(await describe(reader, page, more)) };
  // What breaks the schema here would break every page that shows it.
  if (!Value.Check(EmbedUrlMetadata, metadata)) throw new Error('the metadata of an address does not fit its schema');
  return metadata;
};
