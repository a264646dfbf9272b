import { isIP } from 'node:net';
import { addressClass } from './address-class.js';

/** Where calls may go beside public https. */
export interface TargetRule {
  /** The development profile's switch: loopback, over http too. */
  readonly allowLoopback: boolean;
}

const HTTPS_PORT = 443;
/** Below stand the well-known ports of other protocols, which no mini app is served from. */
const FIRST_FREE_PORT = 1024;

/** @returns the host of a URL without brackets and without the dot of a fully qualified name, in lower case. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** @returns whether a name is loopback by definition (RFC 6761, 6.3), whatever a name server says. */
export const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** @returns the class of a host that says it without being looked up, `name` for one that must be looked up. */
const classOf = (host: string): 'name' | ReturnType<typeof addressClass> => {
  if (isLocalhost(host)) return 'loopback';
  return isIP(host) === 0 ? 'name' : addressClass(host);
};

/**
 * Tells what is wrong with an address before anything is asked of the network. Every spelling of an address literal
 * (octal, hex, one number, a trailing dot) is one and the same here: the URL parser has already read it (WHATWG URL,
 * "IPv4 parser").
 *
 * @returns undefined for an address that may be called, else what is wrong, to be put behind "The address"
 */
export const targetFault = (url: URL, { allowLoopback }: TargetRule): string | undefined => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://.';
  if (url.username !== '' || url.password !== '') return 'must not hold a user or password.';
  const kind = classOf(hostOf(url));
  if (kind === 'closed' || (kind === 'loopback' && !allowLoopback)) return 'must be a public one.';
  if (kind === 'loopback') return undefined;
  if (url.protocol !== 'https:') return 'must begin with https://.';
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port < FIRST_FREE_PORT)
    return `has port ${port}; only ${HTTPS_PORT} and those from ${FIRST_FREE_PORT} on are called.`;
  return undefined;
};
