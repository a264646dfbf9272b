import ogs from 'open-graph-scraper';
import { Value } from 'typebox/value';
import { HtmlMetadata } from '../schema/social/html-metadata.js';
import type { HtmlHead } from './html-head.js';
import { plainText, webAddress } from './untrusted-text.js';

/** Images and videos of one page that are stored. */
const MAX_MEDIA = 10;
/** Members of images and videos besides their address. */
const MEDIA_MEMBERS = ['alt', 'height', 'type', 'width'];
/** Members whose text is an address. */
const ADDRESSES: ReadonlySet<string> = new Set([
  'favicon',
  'ogUrl',
  'ogLogo',
  'ogAudio',
  'ogAudioURL',
  'ogAudioSecureURL',
  'ogVideoSecureURL',
  'ogMovie',
]);

const readMedia = (value: unknown, base: URL): unknown => {
  if (!Array.isArray(value)) return undefined;
  const media = value.slice(0, MAX_MEDIA).flatMap((item: Record<string, unknown>) => {
    const url = webAddress(item.url, base);
    if (url === undefined) return [];
    const others = MEDIA_MEMBERS.map((name) => [name, plainText(String(item[name] ?? ''))] as const);
    return [{ url, ...Object.fromEntries(others.filter(([, text]) => text !== '')) }];
  });
  return media.length === 0 ? undefined : media;
};

const readMember = (name: string, value: unknown, base: URL): unknown => {
  if (name === 'ogImage' || name === 'ogVideo') return readMedia(value, base);
  if (ADDRESSES.has(name)) return webAddress(value, base);
  return plainText(value) || undefined;
};

/**
 * @param base the address of the page, for relative addresses in it
 * @returns what the page says about itself in Open Graph's words; the members are those of open-graph-scraper, which the
 *   contract names. Addresses are absolute and of http or https, texts have no control characters and 4096 characters
 *   at most.
 */
export const readHtmlMetadata = async (head: HtmlHead, base: URL): Promise<HtmlMetadata> => {
  const { result } = await ogs({ html: head.html });
  const members = Object.keys(HtmlMetadata.properties)
    .map((name) => [name, readMember(name, (result as unknown as Record<string, unknown>)[name], base)] as const)
    .filter(([, value]) => value !== undefined);
  const metadata: unknown = Object.fromEntries(members);
  if (!Value.Check(HtmlMetadata, metadata)) throw new Error('the metadata of a page does not fit its schema');
  return metadata;
};
