import { createHash } from 'node:crypto';

const GRID = 4;

/** Hue in degrees from one byte. */
const hueOf = (byte: number): number => Math.round((byte * 360) / 256);

const shapeOf = (kind: number, x: number, y: number, w: number, h: number, fill: string): string => {
  switch (kind) {
    case 0:
      return `<ellipse cx="${x + w / 2}" cy="${y + h / 2}" rx="${w / 2}" ry="${h / 2}" fill="${fill}"/>`;
    case 1:
      return `<polygon points="${x},${y + h} ${x + w},${y + h} ${x + w},${y}" fill="${fill}"/>`;
    case 2:
      return `<polygon points="${x},${y} ${x + w},${y} ${x},${y + h}" fill="${fill}"/>`;
    default:
      return `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}"/>`;
  }
};

/**
 * Draws a geometric pattern that depends only on its input: a stand-in where no model is configured.
 * @param sources images to edit; without any, the pattern follows from the SHA-256 of the prompt
 * @param size in pixels
 * @returns an SVG without text
 */
export const patternOf = (
  prompt: string,
  sources: readonly Uint8Array[],
  { width, height }: { readonly width: number; readonly height: number },
): string => {
  const hash = createHash('sha256').update(prompt);
  for (const source of sources) hash.update(source);
  const digest = hash.digest();
  const byte = (at: number): number => digest[at % digest.length] as number;
  const base = hueOf(byte(0));
  const [w, h] = [width / GRID, height / GRID];
  const shapes = Array.from({ length: GRID * GRID }, (_, at) => {
    const hue = (base + (byte(at + 1) % 5) * 30) % 360;
    const fill = `hsl(${hue},${45 + (byte(at + 2) % 40)}%,${35 + (byte(at + 3) % 45)}%)`;
    return shapeOf(byte(at + 16) % 4, (at % GRID) * w, Math.floor(at / GRID) * h, w, h, fill);
  });
  const background = `<rect width="${width}" height="${height}" fill="hsl(${base},40%,90%)"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${background}${shapes.join('')}</svg>`;
};
