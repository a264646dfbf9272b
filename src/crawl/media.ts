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

export const isPlaylist = (contentType: string): boolean => PLAYLIST.test(contentType);

/** @returns width and height from the first bytes of an image; undefined if they do not tell */
export const readImage = (body: Uint8Array): ImageMetadata | undefined => {
  try {
    const { width, height } = imageSize(body);
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

/** Reads a playlist of HTTP live streaming (RFC 8216). */
export const readPlaylist = (text: string): Playlist => {
  const parser = new PlaylistParser();
  parser.push(text);
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
