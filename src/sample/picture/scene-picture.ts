import type { Random } from '../random.js';
import { landscape } from './landscape.js';
import { gradient, hsl, svg } from './svg.js';

const WIDTH = 1200;
const HEIGHT = 800;

type Motif = (random: Random) => string;

const backdrop = (from: string, to: string): string =>
  `<defs>${gradient('g', from, to, true)}</defs><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#g)"/>`;

const draw = (title: string, ...parts: readonly (string | readonly string[])[]): string =>
  svg(WIDTH, HEIGHT, title, parts.flat().join(''));

const times = (count: number, make: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Houses with lit windows, in the evening. */
const street: Motif = (random) => {
  const hue = random.pick([218, 258, 282, 344]);
  let x = -20;
  const houses: string[] = [];
  while (x < WIDTH) {
    const [width, height] = [random.between(110, 220), random.between(220, 560)];
    const wall = hsl(hue + random.between(-14, 14), 30, random.between(14, 30));
    houses.push(`<rect x="${x}" y="${HEIGHT - height}" width="${width}" height="${height}" fill="${wall}"/>`);
    for (let y = HEIGHT - height + 36; y < HEIGHT - 70; y += 84) {
      for (let at = x + 24; at < x + width - 40; at += 60) {
        if (!random.chance(0.45)) continue;
        houses.push(`<rect x="${at}" y="${y}" width="26" height="38" fill="${hsl(44, 92, random.between(62, 82))}"/>`);
      }
    }
    x += width + random.between(0, 12);
  }
  return draw('A street in the evening', backdrop(hsl(hue, 52, 30), hsl(hue + 70, 72, 70)), houses);
};

/** A plate on a table, from above. */
const plate: Motif = (random) => {
  const hue = random.integer(360);
  const [x, y] = [random.between(520, 680), random.between(360, 440)];
  const bites = times(random.between(7, 16), () => {
    const [angle, far] = [random.next() * 6.283, random.integer(150)];
    const [bx, by] = [Math.round(x + Math.cos(angle) * far), Math.round(y + Math.sin(angle) * far)];
    const fill = hsl(random.pick([8, 36, 52, 96, 128, 16]), random.between(55, 85), random.between(38, 62));
    return `<ellipse cx="${bx}" cy="${by}" rx="${random.between(22, 54)}" ry="${random.between(18, 40)}" fill="${fill}" transform="rotate(${random.integer(180)} ${bx} ${by})"/>`;
  });
  const cloth = times(
    13,
    (index) => `<rect x="${index * 100}" width="46" height="${HEIGHT}" fill="#fff" opacity=".12"/>`,
  );
  const dish = `<circle cx="${x}" cy="${y + 14}" r="300" opacity=".16"/><circle cx="${x}" cy="${y}" r="296" fill="#fbf9f4"/><circle cx="${x}" cy="${y}" r="222" fill="#ece7dc"/>`;
  const fork = `<rect x="130" y="200" width="20" height="420" rx="10" fill="#d9d9de"/><rect x="104" y="160" width="72" height="110" rx="22" fill="#d9d9de"/>`;
  return draw('A plate on a table', backdrop(hsl(hue, 44, 52), hsl(hue + 24, 44, 40)), cloth, dish, bites, fork);
};

/** Waves, and a boat that sails on them. */
const sea: Motif = (random) => {
  const hue = random.pick([186, 204, 222]);
  const sky = random.pick([hsl(36, 92, 78), hsl(204, 70, 84), hsl(336, 72, 82)]);
  const waves = times(6, (index) => {
    const y = 420 + index * 68;
    const swing = random.between(14, 34);
    return `<path d="M0 ${y}q100-${swing} 200 0t200 0 200 0 200 0 200 0 200 0V${HEIGHT}H0z" fill="${hsl(hue, 58, 58 - index * 7)}"/>`;
  });
  const x = random.between(200, 900);
  const boat = `<path d="M${x} 440h170l-34 52h-104z" fill="${hsl(12, 54, 30)}"/><path d="M${x + 84} 210v226h-110z" fill="#fffaf0"/><path d="M${x + 96} 236v200h84z" fill="${hsl(random.integer(360), 74, 62)}"/>`;
  const sun = `<circle cx="${random.between(160, 1040)}" cy="${random.between(120, 300)}" r="74" fill="#fff6d8"/>`;
  return draw('A boat at sea', backdrop(sky, hsl(hue, 60, 90)), sun, waves.slice(0, 1), boat, waves.slice(1));
};

/** Flowers in a meadow. */
const meadow: Motif = (random) => {
  const flowers = times(random.between(10, 18), () => {
    const [x, y, size] = [random.between(60, 1140), random.between(250, 640), random.between(20, 42)];
    const fill = hsl(random.pick([352, 18, 48, 278, 212, 320]), 84, random.between(58, 74));
    const petals = times(6, (index) => {
      return `<ellipse cx="${x}" cy="${y - size}" rx="${Math.round(size * 0.5)}" ry="${size}" fill="${fill}" transform="rotate(${index * 60} ${x} ${y})"/>`;
    });
    const stem = `<path d="M${x} ${y}Q${x + random.between(-40, 40)} ${y + 120} ${x} ${HEIGHT}" stroke="${hsl(126, 40, 34)}" stroke-width="8" fill="none"/>`;
    return `${stem}${petals.join('')}<circle cx="${x}" cy="${y}" r="${Math.round(size * 0.5)}" fill="${hsl(44, 92, 54)}"/>`;
  });
  return draw('Flowers in a meadow', backdrop(hsl(196, 74, 82), hsl(104, 52, 66)), flowers);
};

/** Books on two shelves. */
const shelf: Motif = (random) => {
  const hue = random.integer(360);
  const rows = [380, 760].flatMap((floor) => {
    const books: string[] = [];
    for (let x = 70; x < 1090; ) {
      const [width, height] = [random.between(28, 70), random.between(190, 300)];
      const fill = hsl(hue + random.between(0, 5) * 40, random.between(34, 66), random.between(30, 68));
      const lean = random.chance(0.08) ? ` transform="rotate(6 ${x} ${floor})"` : '';
      books.push(
        `<g${lean}><rect x="${x}" y="${floor - height}" width="${width}" height="${height}" rx="4" fill="${fill}"/><rect x="${x}" y="${floor - height + 34}" width="${width}" height="14" fill="#fff" opacity=".4"/></g>`,
      );
      x += width + random.pick([2, 2, 2, 2, 44]);
    }
    return [...books, `<rect x="40" y="${floor}" width="1120" height="24" fill="${hsl(26, 44, 30)}"/>`];
  });
  return draw('Books on shelves', backdrop(hsl(34, 38, 84), hsl(28, 34, 72)), rows);
};

/** Circles and squares that overlap. */
const composition: Motif = (random) => {
  const hue = random.integer(360);
  const shapes = times(random.between(8, 14), () => {
    const [x, y, size] = [random.integer(WIDTH), random.integer(HEIGHT), random.between(60, 230)];
    const fill = `fill="${hsl(hue + random.pick([0, 30, 180, 210]), 76, random.between(36, 72))}" opacity=".82"`;
    if (random.chance(0.5)) return `<circle cx="${x}" cy="${y}" r="${size}" ${fill}/>`;
    return `<rect x="${x - size}" y="${y - size}" width="${2 * size}" height="${size}" ${fill} transform="rotate(${random.pick([0, 30, 45, 60])} ${x} ${y})"/>`;
  });
  return draw('A composition', backdrop(hsl(hue + 40, 30, 94), hsl(hue + 40, 28, 86)), shapes);
};

const MOTIFS: readonly Motif[] = [
  (random) => landscape(random, WIDTH, HEIGHT, 'A landscape'),
  ...[street, plate, sea, meadow, shelf, composition],
];

/** The picture of a cast: one of seven motifs. */
export const scenePicture: Motif = (random) => random.pick(MOTIFS)(random);
