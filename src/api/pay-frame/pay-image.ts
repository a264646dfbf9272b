import { drawImage } from '../../image/raster.js';

/** Sizes in pixels: previews have the aspect 3:2, icons are square (https://miniapps.farcaster.xyz/docs/specification). */
const SIZES = { preview: [1200, 800], icon: [1024, 1024] } as const;

/** A coin over a line, without text. */
const picture = (width: number, height: number): string => {
  const [x, y, r] = [width / 2, height / 2, height / 4];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="${width}" height="${height}" fill="#1b2a41"/>
<rect y="${y - 6}" width="${width}" height="12" fill="#324a5f"/>
<circle cx="${x}" cy="${y}" r="${r}" fill="#f2b84b"/>
<circle cx="${x}" cy="${y}" r="${r * 0.78}" fill="none" stroke="#1b2a41" stroke-width="${r * 0.08}"/>
<path d="M${x - r * 0.4} ${y}l${r * 0.28} ${r * 0.3}l${r * 0.55} ${-r * 0.6}" fill="none" stroke="#1b2a41" stroke-width="${r * 0.16}"/>
</svg>`;
};

export type PayImage = keyof typeof SIZES;

const drawn = new Map<PayImage, Promise<Buffer>>();

/** @returns the picture of all payment pages as a PNG, drawn at its first use */
export const payImage = (kind: PayImage): Promise<Buffer> => {
  const [width, height] = SIZES[kind];
  const known = drawn.get(kind);
  if (known !== undefined) return known;
  const image = drawImage(picture(width, height), 'png');
  drawn.set(kind, image);
  // Drawn again at the next request.
  image.catch(() => drawn.delete(kind));
  return image;
};
