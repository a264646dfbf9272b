import ogs from 'open-graph-scraper';
import { Value } from 'typebox/value';
import { HtmlMetadata } from '../schema/social/html-metadata.js';
import type { HtmlHead } from './html-head.js';
import { readStructuredMedia } from './structured-media.js';
import { plainText, webAddress } from './untrusted-text.js';

/** Images and videos of one page that are stored. */
const MAX_MEDIA = 10;
/** Members of images and of videos besides their address. */
const MEDIA_MEMBERS = {
  'og:image': ['alt', 'height', 'type', 'width'],
  'og:video': ['height', 'type', 'width'],
} as const;
/** Endings of addresses of images that are given as their type where the page names none. */
const IMAGE_ENDING = /\.(apng|bmp|cur|gif|ico|jfif|jpe?g|pjp|pjpeg|png|svg|tiff?|webp)$/;
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

/** open-graph-scraper lists the members of all images separately, so it does not show which one has a width. */
const readMedia = (head: HtmlHead, name: keyof typeof MEDIA_MEMBERS, base: URL): unknown => {
  const media = readStructuredMedia(head.properties, name).flatMap(({ url: written, members }) => {
    const url = webAddress(written, base);
    if (url === undefined) return [];
    const ending = name === 'og:image' ? IMAGE_ENDING.exec(new URL(url).pathname)?.[1] : undefined;
    const texts = MEDIA_MEMBERS[name].map((member) => [member, plainText(members.get(member))] as const);
    const given = Object.fromEntries(texts.filter(([, text]) => text !== ''));
    return [{ url, ...(ending !== undefined && { type: ending }), ...given }];
  });
  return media.length === 0 ? undefined : media.slice(0, MAX_MEDIA);
};

const readMember = (head: HtmlHead, name: string, value: unknown, base: URL): unknown => {
  if (name === 'ogImage') return readMedia(head, 'og:image', base);
  if (name === 'ogVideo') return readMedia(head, 'og:video', base);
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
    .map((name) => [name, readMember(head, name, (result as unknown as Record<string, unknown>)[name], base)] as const)
    .filter(([, value]) => value !== undefined);
  const metadata: unknown = Object.fromEntries(members);
  if (!Value.Check(HtmlMetadata, metadata)) throw new Error('the metadata of a page does not fit its schema');
  return metadata;
};
