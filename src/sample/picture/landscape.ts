import type { Random } from '../random.js';
import { gradient, hsl, svg } from './svg.js';

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
const SKIES = [
  [212, 28, 250],
  [258, 338, 262],
  [198, 48, 165],
  [225, 200, 214],
  [322, 38, 286],
  [186, 96, 178],
] as const;

/** Hills under a sun, or at night under a moon. */
export const landscape = (random: Random, width: number, height: number, title: string): string => {
  const [above, below, ground] = random.pick(SKIES);
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
