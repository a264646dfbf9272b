import type { Random } from '../random.js';
import { gradient, hsl, svg } from './svg.js';

/** Colours that go well together. */
interface Colors {
  readonly light: string;
  readonly dark: string;
  readonly accent: string;
}

type Motif = (random: Random, colors: Colors) => string;

const GRID = 5;
const CELL = 34;
const MARGIN = (256 - GRID * CELL) / 2;

/** A mirrored pattern of dots and squares. */
const mirror: Motif = (random, { light, accent }) => {
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
  return cells.join('');
};

/** A face that looks somewhere. */
const face: Motif = (random, { light, dark, accent }) => {
  const [x, y] = [random.between(-10, 10), random.between(-8, 8)];
  const eye = (at: number): string =>
    `<circle cx="${at}" cy="112" r="20" fill="#fff"/><circle cx="${at + x}" cy="${112 + y}" r="9" fill="${dark}"/>`;
  const smile = random.between(8, 34);
  const hair = random.pick([
    `<path d="M62 104Q128 20 194 104Q128 66 62 104Z" fill="${accent}"/>`,
    `<path d="M128 24l14 34h-28zM98 32l16 30-28 4zM158 32l12 34-28-4z" fill="${accent}"/>`,
    `<circle cx="68" cy="72" r="24" fill="${accent}"/><circle cx="188" cy="72" r="24" fill="${accent}"/>`,
    '',
  ]);
  const mouth = `<path d="M96 164Q128 ${164 + smile} 160 164" fill="none" stroke="${dark}" stroke-width="8" stroke-linecap="round"/>`;
  return `${hair}<circle cx="128" cy="132" r="80" fill="${light}"/>${eye(100)}${eye(156)}${mouth}`;
};

/** A cat, sitting straight. */
const cat: Motif = (random, { light, dark, accent }) => {
  const ears = `<path d="M66 110L74 44L122 84ZM190 110L182 44L134 84Z" fill="${light}"/>`;
  const patch = random.chance(0.5) ? `<circle cx="${random.pick([92, 164])}" cy="124" r="34" fill="${accent}"/>` : '';
  const slit = random.between(3, 9);
  const eyes = [98, 158].map((x) => `<ellipse cx="${x}" cy="128" rx="${slit}" ry="14" fill="${dark}"/>`).join('');
  const whiskers = [150, 162]
    .map((y) => `<path d="M40 ${y - 6}L96 ${y}M216 ${y - 6}L160 ${y}" stroke="${dark}" stroke-width="3"/>`)
    .join('');
  const nose = `<path d="M120 146h16l-8 10z" fill="${dark}"/>`;
  return `${ears}<ellipse cx="128" cy="138" rx="76" ry="68" fill="${light}"/>${patch}${eyes}${whiskers}${nose}`;
};

/** A flower with a centre. */
const flower: Motif = (random, { light, accent, dark }) => {
  const petals = random.between(5, 9);
  const turn = random.integer(72);
  const leaves = Array.from({ length: petals }, (_, index) => {
    const angle = Math.round((360 / petals) * index + turn);
    return `<ellipse cx="128" cy="74" rx="${Math.round(170 / petals)}" ry="54" fill="${light}" transform="rotate(${angle} 128 128)"/>`;
  });
  return `${leaves.join('')}<circle cx="128" cy="128" r="34" fill="${accent}"/><circle cx="128" cy="128" r="12" fill="${dark}"/>`;
};

/** Stripes behind a disc. */
const stripes: Motif = (random, { light, accent }) => {
  const width = random.pick([16, 24, 32]);
  const angle = random.pick([0, 45, 90, 135]);
  const bars = Array.from({ length: Math.ceil(400 / (2 * width)) }, (_, index) => {
    return `<rect x="${-72 + 2 * width * index}" y="-72" width="${width}" height="400" fill="${light}" opacity=".55"/>`;
  });
  const [x, y] = [random.between(88, 168), random.between(88, 168)];
  return `<g transform="rotate(${angle} 128 128)">${bars.join('')}</g><circle cx="${x}" cy="${y}" r="58" fill="${accent}"/>`;
};

/** A boat on the water. */
const boat: Motif = (random, { light, dark, accent }) => {
  const sail = random.between(40, 84);
  const hull = `<path d="M62 164h132l-24 36h-84z" fill="${dark}"/>`;
  const mast = `<path d="M128 52v112" stroke="${dark}" stroke-width="6"/>`;
  const sails = `<path d="M134 56l${sail} 100h-${sail}z" fill="${light}"/><path d="M122 72l-${sail - 20} 84h${sail - 20}z" fill="${accent}"/>`;
  const sea = `<path d="M0 196q32-20 64 0t64 0 64 0 64 0v60H0z" fill="${light}" opacity=".8"/>`;
  return `${mast}${sails}${hull}${sea}`;
};

const MOTIFS: readonly Motif[] = [mirror, face, cat, flower, stripes, boat];

/** One of six motifs on two colours. */
export const avatar = (random: Random, name: string): string => {
  const hue = random.integer(360);
  const defs = gradient('g', hsl(hue, 78, 64), hsl(hue + random.between(35, 70), 72, 44));
  const colors = {
    light: hsl(hue + 180, 90, 94),
    dark: hsl(hue, 60, 18),
    accent: hsl(hue + random.pick([150, 180, 210]), 92, 78),
  };
  const shine = '<circle cx="48" cy="24" r="150" fill="#fff" opacity=".1"/>';
  const motif = random.pick(MOTIFS)(random, colors);
  const body = `<defs>${defs}</defs><rect width="256" height="256" fill="url(#g)"/>${shine}${motif}`;
  return svg(256, 256, `Picture of account ${name}`, body);
};
