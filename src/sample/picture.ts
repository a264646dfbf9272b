import { PICTURE_KINDS, type PictureKind } from './picture-address.js';
import { createRandom, type Random } from './random.js';

const hsl = (hue: number, saturation: number, lightness: number): string =>
  `hsl(${Math.round(hue) % 360} ${saturation}% ${lightness}%)`;

const gradient = (id: string, from: string, to: string, isUpright = false): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="${isUpright ? 0 : 1}" y2="1">` +
  `<stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;

const svg = (width: number, height: number, title: string, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
  `role="img" aria-label="${title}">${body}</svg>\n`;

const GRID = 5;
const CELL = 34;
const MARGIN = (256 - GRID * CELL) / 2;

/** A mirrored pattern of dots and squares on two colours that go well together. */
const avatar = (random: Random, name: string): string => {
  const hue = random.integer(360);
  const defs = gradient('g', hsl(hue, 78, 64), hsl(hue + random.between(35, 70), 72, 44));
  const light = hsl(hue + 180, 90, 94);
  const accent = hsl(hue + random.pick([150, 180, 210]), 92, 78);
  const cells: string[] = [];
  const cell = (column: number, row: number, fill: string, radius: number): void => {
    const size = CELL - 4;
    const [x, y] = [MARGIN + column * CELL + 2, MARGIN + row * CELL + 2];
    cells.push(`<rect x="${x}" y="${y}" width="${size}" height="${size}" rx="${radius}" fill="${fill}"/>`);
  };
  for (let row = 0; row < GRID; row++) {
    for (let column = 0; column < Math.ceil(GRID / 2); column++) {
      // The middle is always filled, so that no picture is empty.
      if (!random.chance(0.56) && !(row === 2 && column === 2)) continue;
      const fill = random.chance(0.22) ? accent : light;
      const radius = random.chance(0.35) ? CELL / 2 : 8;
      cell(column, row, fill, radius);
      if (column < GRID - 1 - column) cell(GRID - 1 - column, row, fill, radius);
    }
  }
  const shine = '<circle cx="48" cy="24" r="150" fill="#fff" opacity=".1"/>';
  const body = `<defs>${defs}</defs><rect width="256" height="256" fill="url(#g)"/>${shine}${cells.join('')}`;
  return svg(256, 256, `Picture of account ${name}`, body);
};

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

/** A line of hills from edge to edge: a few points joined by curves. */
const hills = (random: Random, width: number, height: number, top: number, swing: number): string => {
  const points = random.between(3, 5);
  const part = width / points;
  const level = (): number => Math.round(top + (random.next() - 0.5) * 2 * swing);
  let y = level();
  let path = `M0 ${height}V${y}`;
  for (let index = 0; index < points; index++) {
    const [next, x] = [level(), Math.round(part * (index + 1))];
    const middle = Math.round(part * (index + 0.5));
    path += `C${middle} ${y} ${middle} ${next} ${x} ${next}`;
    y = next;
  }
  return `${path}V${height}Z`;
};

/** Hue of the sky above and below, and of the hills. */
const BEHAVIORS = [
  [212, 28, 250],
  [258, 338, 262],
  [198, 48, 165],
  [225, 200, 214],
  [322, 38, 286],
  [186, 96, 178],
] as const;

/** Hills under a sun, or at night under a moon. */
const landscape = (random: Random, width: number, height: number, title: string): string => {
  const [above, below, ground] = random.pick(BEHAVIORS);
  const isNight = random.chance(0.25);
  const sky = isNight
    ? gradient('g', hsl(above, 48, 14), hsl(above + 30, 46, 38), true)
    : gradient('g', hsl(above, 70, 66), hsl(below, 86, 82), true);
  const [x, y] = [Math.round(width * (0.15 + 0.7 * random.next())), Math.round(height * (0.22 + 0.25 * random.next()))];
  const size = Math.round(height * (0.08 + 0.06 * random.next()));
  const light = isNight ? hsl(54, 30, 92) : hsl(below, 96, 90);
  const stars = isNight
    ? Array.from({ length: 40 }, () => {
        const [sx, sy] = [random.integer(width), random.integer(Math.round(height * 0.6))];
        return `<circle cx="${sx}" cy="${sy}" r="${random.between(1, 3)}" fill="#fff" opacity=".${random.between(3, 9)}"/>`;
      })
    : [];
  const layers = [0.58, 0.68, 0.78, 0.89].map((level, index) => {
    const lightness = (isNight ? 30 : 62) - index * (isNight ? 7 : 13);
    return `<path d="${hills(random, width, height, height * level, height * 0.09)}" fill="${hsl(ground + index * 6, 38, lightness)}"/>`;
  });
  const glow = `<circle cx="${x}" cy="${y}" r="${size * 3}" fill="${light}" opacity=".14"/><circle cx="${x}" cy="${y}" r="${size}" fill="${light}"/>`;
  const back = `<defs>${sky}</defs><rect width="${width}" height="${height}" fill="url(#g)"/>`;
  return svg(width, height, title, `${back}${stars.join('')}${glow}${layers.join('')}`);
};

const DRAWERS: Readonly<Record<PictureKind, (random: Random, name: string) => string>> = {
  avatar,
  channel,
  banner: (random, name) => landscape(random, 1500, 500, `Banner of account ${name}`),
  cast: (random) => landscape(random, 1200, 800, 'A landscape'),
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
