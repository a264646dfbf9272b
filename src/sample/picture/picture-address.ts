/** Kinds of pictures of the sample, which `src/sample/picture.ts` draws. */
export const PICTURE_KINDS = ['avatar', 'banner', 'channel', 'cast'] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

/** Path below which a development service shows the pictures of the sample. */
export const PICTURE_PATH = '/sample';

/** A reserved host (RFC 2606), for samples that no service shows. */
export const NO_PICTURES = 'https://image.castellan.example';

/**
 * @param base base URL of pictures without a trailing slash: `http://127.0.0.1:3000/sample`
 * @param name of the account, channel or cast: letters, digits and `-`
 */
export const pictureUrl = (base: string, kind: PictureKind, name: string | number): string =>
  `${base}/${kind}/${name}.svg`;
