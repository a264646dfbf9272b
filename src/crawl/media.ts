import { imageSize } from 'image-size';
import { Parser as PlaylistParser } from 'm3u8-parser';
import type { EmbedUrlMetadata } from '../schema/social/embed-url.js';
import { pixels, seconds } from './untrusted-number.js';
import { plainText } from './untrusted-text.js';

export type ImageMetadata = NonNullable<EmbedUrlMetadata['image']>;
export type VideoMetadata = NonNullable<EmbedUrlMetadata['video']>;

/** Variants of one video that are described. */
const MAX_STREAMS = 20;
/** Bounds of tags with attributes: the parser takes the square of their length, so a hostile one would take minutes. */
const MAX_TAG_LENGTH = 512;
const MAX_VARIANTS = 100;
/** HEIF and AVIF images begin with their size; a search through a hostile one takes the square of its length. */
const MAX_HEIF_BYTES = 64 * 1024;
const HEIF_MARK = 'ftyp';

/** @returns width and height in pixels; undefined unless both are valid */
const sizeOf = (width: unknown, height: unknown): Required<ImageMetadata> | undefined => {
  const [width_px, height_px] = [pixels(width), pixels(height)];
  return width_px === undefined || height_px === undefined ? undefined : { width_px, height_px };
};

/** @returns width and height from the first bytes of an image; undefined if they do not contain them */
export const readImage = (body: Uint8Array): ImageMetadata | undefined => {
  try {
    const isHeif = Buffer.from(body.subarray(4, 8)).toString('latin1') === HEIF_MARK;
    const { width, height } = imageSize(isHeif ? body.subarray(0, MAX_HEIF_BYTES) : body);
    return sizeOf(width, height);
  } catch {
    return undefined;
  }
};

export interface Playlist {
  readonly streams: NonNullable<VideoMetadata['stream']>;
  /** Seconds; undefined for a list of variants, and for a live stream. */
  readonly duration: number | undefined;
  /** The first variant, as written; undefined for a list of segments. */
  readonly variant: string | undefined;
}

const VARIANT_TAG = '#EXT-X-STREAM-INF:';

/** @returns the tags of variants, each with the address after it */
const variantLines = (lines: readonly string[]): string[] =>
  lines
    .flatMap((line, index) => {
      if (!line.startsWith(VARIANT_TAG) || line.length > MAX_TAG_LENGTH) return [];
      const address = lines.slice(index + 1, index + 10).find((next) => next !== '' && !next.startsWith('#'));
      return [line, address ?? ''];
    })
    .slice(0, 2 * MAX_VARIANTS);

/** @returns seconds; undefined for a live stream */
const durationOf = (lines: readonly string[]): number | undefined => {
  if (!lines.some((line) => line.startsWith('#EXT-X-ENDLIST'))) return undefined;
  const durations = lines.map((line) => Number(/^#EXTINF:([\d.]{1,20})/.exec(line)?.[1] ?? 0));
  return seconds(durations.reduce((sum, duration) => sum + duration, 0));
};

/**
 * Reads a playlist of HTTP live streaming (RFC 8216). The parser gets only what describes variants: it takes long for
 * many segments, and text of other tags as names of members.
 */
export const readPlaylist = (text: string): Playlist => {
  const lines = text.split('\n').map((line) => line.trim());
  const parser = new PlaylistParser();
  parser.push(`#EXTM3U\n${variantLines(lines).join('\n')}\n`);
  parser.end();
  const { playlists = [] } = parser.manifest;
  const streams = playlists.slice(0, MAX_STREAMS).map(({ attributes }) => {
    const { RESOLUTION: size, CODECS: codecs } = attributes ?? {};
    const codec = plainText(codecs);
    return { ...(codec !== '' && { codec_name: codec }), ...sizeOf(size?.width, size?.height) };
  });
  return { streams, duration: durationOf(lines), variant: playlists[0]?.uri };
};
