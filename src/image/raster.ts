import pLimit from 'p-limit';
import type { Sharp } from 'sharp';
import type { ImageFormat } from './image.js';

/** Decoded images have at most this many pixels: as many as can be asked for. An interlaced PNG is decoded as a whole. */
const MAX_PIXELS = 4096 * 4096;
/** Large photos: JPEG is scaled while it is decoded, so its pixels cost little. */
const MAX_JPEG_PIXELS = 50_000_000;

/** Images are decoded one at a time: a large one takes a core for up to a second. */
const decoding = pLimit(1);

/**
 * Recognizes a format by its first bytes, whatever the sender calls it.
 * @returns undefined for bytes that are none of these formats
 */
export const rasterFormatOf = (bytes: Buffer): 'png' | 'jpeg' | 'gif' | 'webp' | undefined => {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'png';
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'jpeg';
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return 'gif';
  // RIFF is a container of several formats.
  return /^RIFF.{4}WEBP/s.test(bytes.toString('latin1', 0, 12)) ? 'webp' : undefined;
};

/** Loaded on first use: few services make images, and the library takes long to load. */
const openImage = async (bytes: Buffer): Promise<Sharp> => {
  const { default: sharp } = await import('sharp');
  const limitInputPixels = rasterFormatOf(bytes) === 'jpeg' ? MAX_JPEG_PIXELS : MAX_PIXELS;
  return sharp(bytes, { limitInputPixels, failOn: 'error' });
};

/** The bytes are not an image that is read here. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
}

/** @throws ImageError for formats other than PNG, JPEG, GIF and WebP (SVG could load other files), or damaged bytes */
const decode = async (
  bytes: Buffer,
  work: (image: Sharp) => Promise<Buffer>,
  signal?: AbortSignal,
): Promise<Buffer> => {
  if (rasterFormatOf(bytes) === undefined) throw new ImageError('is not a PNG, JPEG, GIF or WebP image');
  return decoding(async () => {
    signal?.throwIfAborted();
    try {
      return await work(await openImage(bytes));
    } catch (error) {
      throw new ImageError('is damaged or has too many pixels', { cause: error });
    }
  });
};

/** Encodes in the format; metadata is left out, which sharp does unless told otherwise. JPEG gets a white background. */
const encode = (image: Sharp, format: ImageFormat): Promise<Buffer> =>
  (format === 'jpeg' ? image.flatten({ background: '#ffffff' }) : image).toFormat(format).toBuffer();

/**
 * Scales an image so that it covers the size, and cuts off what is outside of it.
 * @param size in pixels
 * @throws ImageError
 */
export const fitImage = (
  bytes: Buffer,
  { width, height, format }: { readonly width: number; readonly height: number; readonly format: ImageFormat },
): Promise<Buffer> =>
  decode(bytes, (image) => encode(image.autoOrient().resize(width, height, { fit: 'cover' }), format));

/**
 * Prepares an image for a model: a PNG without metadata (such as the place where a photo was taken), upright, of at most
 * `side` pixels in each direction.
 * @param signal aborts when nobody waits for the image any more
 * @throws ImageError, or the signal's reason
 */
export const normalizeImage = (bytes: Buffer, side: number, signal: AbortSignal): Promise<Buffer> =>
  decode(
    bytes,
    (image) => encode(image.autoOrient().resize(side, side, { fit: 'inside', withoutEnlargement: true }), 'png'),
    signal,
  );

/** Draws an SVG of this service, opaque; it must not contain text, because servers have no fonts. */
export const drawImage = async (svg: string, format: ImageFormat): Promise<Buffer> =>
  encode((await openImage(Buffer.from(svg))).flatten({ background: '#ffffff' }), format);
