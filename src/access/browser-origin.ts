import { invalidField } from '../error.js';

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

/** @returns the origins, each once. @throws AppError 'invalid' with property `origins` for a text that is no origin */
export const requireOrigins = (texts: readonly string[]): string[] => {
  const origins = texts.map((text) => {
    const origin = readOrigin(text);
    if (origin !== undefined) return origin;
    throw invalidField('origins', `origins must be like https://app.example, without a path, not "${text}"`);
  });
  return [...new Set(origins)];
};
