/**
 * @returns the origin as browsers send it (`https://app.example`, `http://localhost:3000`); undefined for anything else,
 *   such as an address with a path
 */
export const readOrigin = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined;
  return `${url.origin}/` === url.href && /^https?:\/\/[^/]+\/?$/i.test(text) ? url.origin : undefined;
};
