import { Value } from 'typebox/value';
import {
  type HtmlMetadata,
  OembedLinkData,
  OembedPhotoData,
  OembedRichData,
  OembedVideoData,
} from '../schema/social/html-metadata.js';
import { pixels } from './untrusted-number.js';
import { plainText, webAddress } from './untrusted-text.js';

export type Oembed = NonNullable<HtmlMetadata['oembed']>;

const SHAPES = { rich: OembedRichData, video: OembedVideoData, photo: OembedPhotoData, link: OembedLinkData };
const NUMBERS: ReadonlySet<string> = new Set(['width', 'height', 'thumbnail_width', 'thumbnail_height']);

const readNumber = (value: unknown): number | null => pixels(typeof value === 'string' ? Number(value) : value) ?? null;

const readMember = (name: string, value: unknown, base: URL): unknown => {
  if (NUMBERS.has(name)) return readNumber(value);
  if (name === 'url' || name.endsWith('_url')) return webAddress(value, base) ?? null;
  return plainText(typeof value === 'number' ? String(value) : value) || null;
};

/**
 * Reads the description that a page's provider gives of it (oEmbed 1.0, 2.3.4).
 * @param body of the provider's response
 * @param base address of that response
 * @returns undefined for anything that is not such a description
 */
export const readOembed = (body: Uint8Array, base: URL): Oembed | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const members = value as Record<string, unknown>;
  if (typeof members.type !== 'string' || !Object.hasOwn(SHAPES, members.type)) return undefined;
  const shape = SHAPES[members.type as keyof typeof SHAPES];
  const names = Object.keys(shape.properties).filter((name) => name !== 'type');
  const read = names.map((name) => [name, readMember(name, members[name], base)] as const);
  const oembed: unknown = { ...Object.fromEntries(read), type: members.type };
  return Value.Check(shape, oembed) ? oembed : undefined;
};
