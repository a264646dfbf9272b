import type { LoggedOperation } from './http/service.js';

/** Parameters of operations whose values let someone in or sign for someone. */
const SECRET = new Set(['token', 'ticket', 'signature', 'message']);
/** Characters of an address that are kept. */
const MAX_LENGTH = 2000;
const MASK = '***';

/**
 * @param url path and query, as the client sent them
 * @returns the same with the values of secrets masked, and those of parameters that the operation does not have, because
 *   clients put keys there by mistake; what is too long ends with `…`
 */
export const maskedAddress = (url: string, { query }: Pick<LoggedOperation, 'query'>): string => {
  const start = url.indexOf('?');
  if (start < 0) return cut(url);
  const known = query?.properties ?? {};
  const pairs = url
    .slice(start + 1, start + 1 + MAX_LENGTH)
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      if (Object.hasOwn(known, name) && !SECRET.has(name)) return pair;
      // A key that was pasted without a name stands where the name should be.
      return name === pair ? MASK : `${name}=${MASK}`;
    });
  return cut(`${url.slice(0, start)}?${pairs.join('&')}`, url.length > start + 1 + MAX_LENGTH);
};

const cut = (text: string, isCut = false): string =>
  text.length > MAX_LENGTH || isCut ? `${text.slice(0, MAX_LENGTH)}…` : text;
