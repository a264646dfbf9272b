import { imageSize } from 'image-size';
import { Parser as PlaylistParser } from 'm3u8-parser';
import type { EmbedUrlMetadata } from '../schema/social/embed-url.js';
import { plainText } from './untrusted-text.js';

export type ImageMetadata = NonNullable<EmbedUrlMetadata['image']>;
export type VideoMetadata = NonNullable<EmbedUrlMetadata['video']>;

/** Variants of one video that are described. */
const MAX_STREAMS = 20;
/** The types of HTTP live streaming playlists (RFC 8216, 4). */
const PLAYLIST = /^(application\/(vnd\.apple\.mpegurl|x-mpegurl)|audio\/(x-)?mpegurl)$/;

/** Bounds of the tags with attributes: the parser takes the square of their length, so a hostile one would take minutes. */
const MAX_TAG_LENGTH = 512;
const MAX_TAGS = 100;
/** HEIF and AVIF images say their size at the beginning; a search through a hostile one takes the square of its length. */
const MAX_HEIF_BYTES = 64 * 1024;
const HEIF_MARK = 'ftyp';

export const isPlaylist = (contentType: string): boolean => PLAYLIST.test(contentType);

/** @returns width and height from the first bytes of an image; undefined if they do not tell */
export const readImage = (body: Uint8Array): ImageMetadata | undefined => {
  try {
    const isHeif = Buffer.from(body.subarray(4, 8)).toString('latin1') === HEIF_MARK;
    const { width, height } = imageSize(isHeif ? body.subarray(0, MAX_HEIF_BYTES) : body);
    return { width_px: width, height_px: height };
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

/** @returns the playlist without tags that are too long or too many to be parsed */
const withoutHostileTags = (text: string): string => {
  let tags = 0;
  const isHarmless = (line: string): boolean =>
    !/^#EXT-X-[^:]*:/.test(line) || (line.length <= MAX_TAG_LENGTH && ++tags <= MAX_TAGS);
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(isHarmless)
    .join('\n');
};

/** Reads a playlist of HTTP live streaming (RFC 8216). */
export const readPlaylist = (text: string): Playlist => {
  const parser = new PlaylistParser();
  parser.push(`${withoutHostileTags(text)}\n`);
  parser.end();
  const { playlists = [], segments = [], endList = false } = parser.manifest;
  const streams = playlists.slice(0, MAX_STREAMS).map(({ attributes }) => {
    const { RESOLUTION: size, CODECS: codecs } = attributes ?? {};
    const codec = plainText(codecs);
    return {
      ...(codec !== '' && { codec_name: codec }),
      ...(Number.isInteger(size?.width) && { width_px: size?.width as number }),
      ...(Number.isInteger(size?.height) && { height_px: size?.height as number }),
    };
  });
  const seconds = segments.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
  return {
    streams,
    duration: endList && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
    variant: playlists[0]?.uri,
  };
};
