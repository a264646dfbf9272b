import type { Static } from 'typebox';
import { AppError, invalidField } from '../../error.js';
import type { EmbedContentType } from '../../schema/social/embed-url.js';

/** Number of URL parts in a term of the SQL function `embed_terms`: scheme, empty, host and five path segments. */
const DEPTH = 8;

/** Finds casts that embed a URL with a given prefix. */
export interface EmbedPrefix {
  readonly term: string;
  /** Null: the term is sufficient. */
  readonly prefix: string | null;
}

/**
 * @param text a URL or its prefix; `https://` is prepended when it has no scheme. A prefix that ends within the host
 *   name is read as a whole host: `https://a.example` does not match `https://a.example.org/`.
 * @throws AppError 'invalid' with property `embed_url` for text without a host
 */
export const readEmbedPrefix = (text: string): EmbedPrefix => {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
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

const MORE: Readonly<Record<string, readonly string[]>> = {
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

/**
 * Finds embeds by the file extension of their URL, because the URLs of casts are not fetched.
 * @returns terms of `embed_terms`
 * @throws AppError 'not_implemented' with property `embed_types` for text pages, whose URLs have no typical extension
 */
export const embedTypeTerms = (types: readonly ContentType[]): string[] => {
  const terms = types.flatMap((type) => {
    const extensions = extensionsOf(type);
    if (extensions.length > 0) return extensions.map((extension) => `ext:${extension}`);
    throw new AppError(
      'not_implemented',
      'NotImplemented',
      `embed_types=${type} is not implemented: this version knows embeds by the file extension of their URL. ` +
        `Use ${['image', 'video', 'audio', ...Object.keys(EXTENSIONS)].join(', ')}.`,
      { property: 'embed_types' },
    );
  });
  return [...new Set(terms)].sort();
};
