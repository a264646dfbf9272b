import { isIP } from 'node:net';
import { hostOf, isLocalhost, type TargetRule } from '../delivery/target.js';
import { invalidField } from '../error.js';

/** The domain of a mini app. */
export interface MiniAppDomain {
  /** Host name in lower case; in development possibly with a port (`localhost:3001`). */
  readonly name: string;
  /** `https://name`; `http://name` for loopback in development. */
  readonly origin: string;
}

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const NAME = new RegExp(`^(${LABEL}\\.)+${LABEL}$`);
const LOCAL = new RegExp(`^(${LABEL}\\.)*localhost$`);
const MAX_NAME = 253;

/**
 * Validates the host name of a mini app.
 * @param property the member of the request, for errors
 * @throws AppError 'invalid' for anything with a scheme, path, user info or address literal, for names without a dot,
 *   and for ports and loopback unless the development profile allows them
 */
export const readDomain = (text: string, { allowLoopback }: TargetRule, property = 'app_domain'): MiniAppDomain => {
  const name = text.toLowerCase();
  const [, host = '', port] = /^([^:]*)(?::(\d{1,5}))?$/.exec(name) ?? [];
  const isNamed = NAME.test(host) || (allowLoopback && LOCAL.test(host));
  // The last label of a name is never a number, but browsers would read it as an address.
  const isAddress = isIP(host) !== 0 || /(^|\.)(\d+|0x[0-9a-f]*)$/.test(host);
  const isPort = port === undefined || (allowLoopback && Number(port) >= 1 && Number(port) <= 65_535);
  const isOpen = allowLoopback || !isLocalhost(host);
  if (!isNamed || isAddress || !isPort || !isOpen || host.length > MAX_NAME) {
    throw invalidField(
      property,
      `${property} must be a host name like miniapp.example, without scheme, port and path.`,
    );
  }
  return { name, origin: `${isLocalhost(host) ? 'http' : 'https'}://${name}` };
};

/** @returns the domain of a URL in the form of `readDomain` */
export const domainOf = (url: URL): string => (url.port === '' ? hostOf(url) : `${hostOf(url)}:${url.port}`);
