import { OutboundError } from '../delivery/outbound-error.js';
import type { EmbedUrlMetadata } from '../schema/social/embed-url.js';
import { readFrame } from './frame-meta.js';
import { readHtmlHead } from './html-head.js';
import { readHtmlMetadata } from './html-metadata.js';
import { isPlaylist, readImage, readPlaylist } from './media.js';
import { mediaType } from './media-type.js';
import { readOembed } from './oembed.js';
import type { FetchedPage, PageFetch } from './page-fetch.js';
import { pageText } from './page-text.js';

/** Pages describe themselves at their beginning, and so do images. */
const MAX_BYTES = 1024 * 1024;
const MAX_OEMBED_BYTES = 64 * 1024;
const MAX_REDIRECTS = 5;
const ACCEPT = 'text/html,application/xhtml+xml,image/*;q=0.9,*/*;q=0.8';

type Details = Pick<EmbedUrlMetadata, 'html' | 'frame' | 'image' | 'video'>;

/** Reads more about a page from a second address that it names; undefined when that cannot be read. */
type FetchMore = (url: string, maxBytes: number) => Promise<FetchedPage | undefined>;

const describeHtml = async (page: FetchedPage, more: FetchMore): Promise<Details> => {
  const head = readHtmlHead(pageText(page.body, page.headers['content-type'] ?? ''));
  const html = await readHtmlMetadata(head, page.url);
  const frame = readFrame(head.meta, page.url);
  const provider = head.oembed === undefined ? undefined : await more(head.oembed, MAX_OEMBED_BYTES);
  const oembed = provider?.status === 200 ? readOembed(provider.body, provider.url) : undefined;
  return { html: { ...html, ...(oembed && { oembed }) }, ...(frame && { frame }) };
};

const describePlaylist = async (page: FetchedPage, more: FetchMore): Promise<Details> => {
  const list = readPlaylist(pageText(page.body, ''));
  const variant = list.variant === undefined ? undefined : await more(list.variant, MAX_BYTES);
  const duration = variant?.status === 200 ? readPlaylist(pageText(variant.body, '')).duration : list.duration;
  return { video: { stream: list.streams, ...(duration !== undefined && { duration_s: duration }) } };
};

const describe = async (page: FetchedPage, type: string, more: FetchMore): Promise<Details> => {
  if (type === 'text/html' || type === 'application/xhtml+xml') return describeHtml(page, more);
  if (isPlaylist(type)) return describePlaylist(page, more);
  const image = type.startsWith('image/') ? readImage(page.body) : undefined;
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
 */
export const describeUrl = async (fetchPage: PageFetch, url: URL, deadline: number): Promise<EmbedUrlMetadata> => {
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
  return { _status: 'RESOLVED', ...known, ...(await describe(page, mediaType(contentType), more)) };
};
