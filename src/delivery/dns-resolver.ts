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
  /** Name servers (`ip:port`) instead of the system's. */
  readonly nameServers?: readonly string[];
}

const resolved = (address: string): ResolvedAddress => ({ address, family: isIPv6(address) ? 6 : 4 });

/**
 * Queries name servers directly: `dns.lookup` would block one of the four threads that file access and cryptography
 * share, and a slow name server of an untrusted domain could block all of them. The hosts file is not read.
 */
const queryNameServers = async (host: string, { nameServers }: ResolveOptions, signal: AbortSignal) => {
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
 * Resolves a host once and checks all of its addresses. If one of them is not public, the name is rejected: choosing
 * the public ones would let the order of the DNS response decide.
 * @param host a name or an address literal, as `hostOf` returns it
 * @returns at least one address; connections are made to these only
 * @throws OutboundError `address` if there is none, or one that must not be called
 * @throws the signal's reason when it aborts
 */
export const resolveTarget = async (
  host: string,
  options: ResolveOptions,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> => {
  const local = isLocalhost(host) ? ['127.0.0.1', '::1'] : undefined;
  const addresses = local ?? (isIP(host) === 0 ? await queryNameServers(host, options, signal) : [host]);
  const open = (address: string): boolean => {
    const kind = addressClass(address);
    return kind === 'public' || (kind === 'loopback' && options.allowLoopback);
  };
  if (addresses.length === 0 || !addresses.every(open)) {
    throw new OutboundError('address', 'has no public address.');
  }
  return addresses.map(resolved);
};
