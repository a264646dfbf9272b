import { createRandom, type Random } from '../random.js';
import { avatar } from './avatar.js';
import { landscape } from './landscape.js';
import { PICTURE_KINDS, type PictureKind } from './picture-address.js';
import { scenePicture } from './scene-picture.js';
import { hsl, svg } from './svg.js';

/** Rings around a corner, one colour after the other. */
const channel = (random: Random, name: string): string => {
  const hue = random.integer(360);
  const step = random.pick([14, 22, 30]);
  const [x, y] = random.pick([
    [0, 256],
    [256, 256],
    [128, 288],
    [256, 0],
  ] as const);
  const rings = [300, 250, 200, 150, 100, 52].map(
    (radius, index) =>
      `<circle cx="${x}" cy="${y}" r="${radius}" fill="${hsl(hue + step * (index + 1), 74, 40 + index * 7)}"/>`,
  );
  const back = `<rect width="256" height="256" fill="${hsl(hue, 68, 32)}"/>`;
  return svg(256, 256, `Picture of the channel ${name}`, `${back}${rings.join('')}`);
};

const DRAWERS: Readonly<Record<PictureKind, (random: Random, name: string) => string>> = {
  avatar,
  channel,
  banner: (random, name) => landscape(random, 1500, 500, `Banner of account ${name}`),
  cast: scenePicture,
};

/**
 * Draws a picture of the sample network; the same name gives the same picture.
 * @param kind one of `PICTURE_KINDS`
 * @param name up to 32 of a-z, 0-9 and `-`
 * @returns an SVG document of a few kilobytes without scripts and external resources; undefined for another kind or
 *   name
 */
export const renderPicture = (kind: string, name: string): string | undefined => {
  const known = PICTURE_KINDS.find((one) => one === kind);
  if (known === undefined || !/^[a-z0-9-]{1,32}$/.test(name)) return undefined;
  return DRAWERS[known](createRandom('castellan picture', kind, name), name);
};
