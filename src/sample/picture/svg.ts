/** @param hue degrees. @param saturation, lightness percent */
export const hsl = (hue: number, saturation: number, lightness: number): string =>
  `hsl(${Math.round(hue) % 360} ${saturation}% ${lightness}%)`;

export const gradient = (id: string, from: string, to: string, isUpright = false): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="${isUpright ? 0 : 1}" y2="1">` +
  `<stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;

export const svg = (width: number, height: number, title: string, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
  `role="img" aria-label="${title}">${body}</svg>\n`;
