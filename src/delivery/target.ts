import { isIP } from 'node:net';
import { addressClass } from './address-class.js';

/** Which targets are allowed in addition to public https. */
export interface TargetRule {
  /** Set in the development profile: allows loopback, also with http. */
  readonly allowLoopback: boolean;
  /** Also allows http, on port 80 and from 1024 on: for pages of strangers, which get nothing secret. */
  readonly allowHttp?: boolean;
}

const HTTPS_PORT = 443;
const HTTP_PORT = 80;
/** Lower ports belong to other protocols. */
const FIRST_FREE_PORT = 1024;

/** @returns the host of a URL in lower case, without brackets and without a trailing dot */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** @returns whether a name is loopback by definition (RFC 6761, 6.3), whatever DNS returns */
export const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** @returns the class of an address literal or of localhost; `name` for a host that must be resolved */
const classOf = (host: string): 'name' | ReturnType<typeof addressClass> => {
  if (isLocalhost(host)) return 'loopback';
  return isIP(host) === 0 ? 'name' : addressClass(host);
};

const NOT_HERE =
  'must be a public one: only a development service calls its own machine (CASTELLAN_ALLOW_LOOPBACK_TARGETS).';

/**
 * Validates a URL without network access. Every spelling of an address literal (octal, hex, one number, a trailing dot)
 * is covered, because the URL parser normalizes it (WHATWG URL, "IPv4 parser").
 * @returns undefined for a URL that may be called, else the fault, which continues "The address"
 */
export const targetError = (url: URL, { allowLoopback, allowHttp = false }: TargetRule): string | undefined => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://.';
  if (url.username !== '' || url.password !== '') return 'must not hold a user or password.';
  const kind = classOf(hostOf(url));
  if (kind === 'closed') return 'must be a public one.';
  if (kind === 'loopback') return allowLoopback ? undefined : NOT_HERE;
  if (url.protocol !== 'https:' && !allowHttp) return 'must begin with https://.';
  const usual = url.protocol === 'https:' ? HTTPS_PORT : HTTP_PORT;
  const port = url.port === '' ? usual : Number(url.port);
  if (port !== usual && port < FIRST_FREE_PORT)
    return `has port ${port}; only ${usual} and those from ${FIRST_FREE_PORT} on are called.`;
  return undefined;
};
