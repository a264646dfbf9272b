import { Resolver } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { addressClass } from './address-class.js';
import { OutboundError } from './outbound-error.js';
import { isLocalhost } from './target.js';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface ResolveOptions {
  readonly allowLoopback: boolean;
  /** Name servers to ask (`ip:port`) instead of those of the system. */
  readonly nameServers?: readonly string[];
}

const resolved = (address: string): ResolvedAddress => ({ address, family: isIPv6(address) ? 6 : 4 });

/**
 * Asks name servers itself: `dns.lookup` would wait in the four threads that files and cryptography share, and a slow
 * name server chosen by a stranger would hold all of them. The hosts file is not read.
 */
const askNameServers = async (host: string, { nameServers }: ResolveOptions, signal: AbortSignal) => {
  const resolver = new Resolver();
  if (nameServers) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    signal.throwIfAborted();
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/**
 * Looks a host up once, and checks every address it has: a name of which one address is not public is refused
 * as a whole, since a client that picks the good ones lets the order of the answer decide.
 *
 * @param host a name or an address literal, as `hostOf` gives it
 * @returns at least one address; connections go to these and to no other
 * @throws OutboundError `address` when there is none, or one that may not be called
 * @throws the signal's reason when it aborts
 */
export const resolveTarget = async (
  host: string,
  options: ResolveOptions,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> => {
  const local = isLocalhost(host) ? ['127.0.0.1', '::1'] : undefined;
  const addresses = local ?? (isIP(host) === 0 ? await askNameServers(host, options, signal) : [host]);
  const open = (address: string): boolean => {
    const kind = addressClass(address);
    return kind === 'public' || (kind === 'loopback' && options.allowLoopback);
  };
  if (addresses.length === 0 || !addresses.every(open)) {
    throw new OutboundError('address', 'has no public address.');
  }
  return addresses.map(resolved);
};
