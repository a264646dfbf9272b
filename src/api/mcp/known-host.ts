import { isIP } from 'node:net';

const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1' || name === '::1';

/** @returns the name of `name:port` or of a URL's authority, in lower case and without brackets; undefined: it is none */
const nameOf = (authority: string): string | undefined => {
  try {
    const { hostname, username, pathname } = new URL(`http://${authority}`);
    return username === '' && pathname === '/' ? hostname.replace(/^\[|\]$/g, '') : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Against DNS rebinding, as the specification of streamable HTTP asks: a page of a stranger whose name suddenly leads to
 * this machine. Only a service whose own address is on this machine is in danger; others check the key alone, like the
 * rest of the interface, which pages of any origin may call with a key (src/api/cors.ts).
 * @param publicUrl address of the service for its clients
 * @returns why a request is refused; undefined: it is not
 */
export const createHostCheck = (publicUrl: string) => {
  const own = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  const isLocal = isLoopbackName(own);
  return (headers: {
    readonly host?: string | undefined;
    readonly origin?: string | undefined;
  }): string | undefined => {
    if (!isLocal) return undefined;
    const host = nameOf(headers.host ?? '');
    // An address is no name that could lead elsewhere.
    if (host === undefined || (!isLoopbackName(host) && isIP(host) === 0))
      return `This service is on this machine, and not at ${JSON.stringify((headers.host ?? '').slice(0, 100))}. PUBLIC_URL sets its address.`;
    if (headers.origin === undefined) return undefined;
    const origin = /^https?:\/\/([^/]+)$/.exec(headers.origin)?.[1];
    const page = origin === undefined ? undefined : nameOf(origin);
    if (page !== undefined && isLoopbackName(page)) return undefined;
    return 'Only pages of this machine may use this service. PUBLIC_URL sets its address for others.';
  };
};
