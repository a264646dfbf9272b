import { randomBytes } from 'node:crypto';

/** Path of the files that this service serves to everybody who knows their address. */
export const MEDIA_PATH = '/media';

/** File extensions by content type. */
export const MEDIA_EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

const ID_BYTES = 32;

/** Ids of files. */
export const MEDIA_ID = /^[\w-]{43}$/;

/** @returns an id that cannot be guessed */
export const newMediaId = (): string => randomBytes(ID_BYTES).toString('base64url');

/** @param contentType one of `MEDIA_EXTENSIONS` @returns the public address of a file */
export const mediaUrl = (
  publicUrl: string,
  { id, contentType }: { readonly id: string; readonly contentType: string },
) => `${publicUrl}${MEDIA_PATH}/${id}.${MEDIA_EXTENSIONS[contentType]}`;
