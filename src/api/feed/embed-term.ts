import type { Static } from 'typebox';
import { invalidField } from '../../error.js';
import type { EmbedContentType } from '../../schema/social/embed-url.js';
import type { EmbedTypes } from '../../store/query/embed.js';

/** Number of URL parts in a term of the SQL function `embed_terms`: scheme, empty, host and five path segments. */
const DEPTH = 8;

/** Finds casts that embed a URL with a given prefix. */
export interface EmbedPrefix {
  readonly term: string;
  /** Null: the term is sufficient. */
  readonly prefix: string | null;
}

/**
 * @param text a URL or its prefix; `https://` is prepended when it has no scheme. Scheme and host are compared regardless
 *   of case, as `embed_terms` in the migrations does. A prefix that ends within the host name is read as a whole host:
 *   `https://a.example` does not match `https://a.example.org/`.
 * @throws AppError 'invalid' with property `embed_url` for text without a host
 */
export const readEmbedPrefix = (text: string): EmbedPrefix => {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = whole.replace(/^[^/?#]*\/\/[^/?#]*/, (host) => host.toLowerCase());
  const [address = ''] = url.split(/[?#]/);
  const parts = address.split('/');
  if (!parts[2]) throw invalidField('embed_url', 'embed_url must be a web address or its beginning, with a host');
  const depth = Math.max(3, Math.min(parts.length - 1, DEPTH));
  const term = `${parts.slice(0, depth).join('/')}/`;
  return { term, prefix: url === term || `${url}/` === term ? null : url };
};

type ContentType = Static<typeof EmbedContentType>;

/** File extensions by content type. */
const EXTENSIONS: Readonly<Partial<Record<ContentType, readonly string[]>>> = {
  'text/plain': ['txt'],
  'text/html': ['html', 'htm'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/svg+xml': ['svg'],
  'image/heif': ['heif', 'heic'],
  'video/mp4': ['mp4', 'm4v'],
  'video/quicktime': ['mov'],
  'audio/mpeg': ['mp3'],
  'application/pdf': ['pdf'],
  'application/json': ['json'],
  'application/x-mpegurl': ['m3u8'],
};

const PLAYLISTS = ['application/vnd.apple.mpegurl', 'audio/mpegurl', 'audio/x-mpegurl'];

const MORE: Readonly<Record<string, readonly string[]>> = {
  text: ['md', 'csv'],
  image: ['avif', 'bmp', 'tif', 'tiff', 'ico'],
  video: ['webm', 'm3u8', 'mkv'],
  audio: ['wav', 'ogg', 'oga', 'flac', 'm4a', 'aac'],
};

const extensionsOf = (type: ContentType): readonly string[] => {
  const whole = MORE[type];
  if (whole === undefined) return EXTENSIONS[type] ?? [];
  const exact = Object.entries(EXTENSIONS).filter(([name]) => name.startsWith(`${type}/`));
  return [...exact.flatMap(([, extensions]) => extensions), ...whole];
};

/** Types that are named in more than one way. */
const ALIASES: Readonly<Partial<Record<ContentType, readonly string[]>>> = {
  'text/html': ['application/xhtml+xml'],
  'image/heif': ['image/heic'],
  'audio/mpeg': ['audio/mp3'],
  'application/x-mpegurl': PLAYLISTS,
  // A playlist is a video, whatever its type says.
  video: ['application/x-mpegurl', ...PLAYLISTS],
};

/** @returns the file extensions, and the media types that were found at addresses, of these types */
export const embedTypes = (types: readonly ContentType[]): EmbedTypes => {
  const named = types.flatMap((type) => [type, ...(ALIASES[type] ?? [])]);
  const terms = types.flatMap(extensionsOf).map((extension) => `ext:${extension}`);
  const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
  return {
    terms: distinct(terms),
    exact: distinct(named.filter((type) => type.includes('/'))),
    families: distinct(named.filter((type) => !type.includes('/'))),
  };
};
