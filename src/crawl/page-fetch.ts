import { setTimeout as sleep } from 'node:timers/promises';
import { addressBlock, addressClass } from '../delivery/address-class.js';
import type { ResolvedAddress } from '../delivery/dns-resolver.js';
import { createOutbound, type OutboundClient } from '../delivery/outbound.js';
import { OutboundError } from '../delivery/outbound-error.js';
import { hostOf, isLocalhost } from '../delivery/target.js';
import { createRateLimit } from './rate-limit.js';

export interface PageRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Unix milliseconds; includes waiting for the rate limit of hosts, and all redirects. */
  readonly deadline: number;
  /** Maximum size of the decompressed body. */
  readonly maxBytes: number;
  /** Returns the first `maxBytes` of a longer body instead of failing. */
  readonly cutsBody: boolean;
  readonly maxRedirects: number;
}

export interface FetchedPage {
  /** The address that answered, after redirects. */
  readonly url: URL;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Requests a page whose address is untrusted. */
export type PageFetch = (request: PageRequest) => Promise<FetchedPage>;

/** Pauses between two requests to one host, and to one address, which may have many names. */
const HOST_PAUSE_MS = 1_000;
const ADDRESS_PAUSE_MS = 250;

const isLoopback = (host: string): boolean => isLocalhost(host) || addressClass(host) === 'loopback';

const targetOf = (location: string | undefined, from: URL): URL => {
  if (location !== undefined && URL.canParse(location, from.href)) return new URL(location, from);
  throw new OutboundError('redirect', 'answered with a redirect that names no address.');
};

/**
 * @returns a function that requests a page at most once a second for each host and four times a second for each address,
 *   and each redirect like a first address: it is resolved, checked and limited again. It throws OutboundError. Loopback,
 *   which only development allows, has no limit.
 */
export const createPageFetch = ({
  outbound,
  ownHosts = new Set(),
  clock,
}: {
  readonly outbound: OutboundClient;
  /** Hosts with ports on this machine under which this service answers itself. They are called in any case. */
  readonly ownHosts?: ReadonlySet<string>;
  /** Unix milliseconds. */
  readonly clock: () => number;
}): PageFetch => {
  const reserveHost = createRateLimit(clock, HOST_PAUSE_MS);
  const reserveAddress = createRateLimit(clock, ADDRESS_PAUSE_MS);
  const loopback = createOutbound({ allowLoopback: true });

  const waitFor = async (wait: number | undefined): Promise<void> => {
    if (wait === undefined) throw new OutboundError('timeout', 'is asked too often; try again later.');
    if (wait > 0) await sleep(wait);
  };
  const waitForHost = async (url: URL, deadline: number): Promise<void> => {
    const host = hostOf(url);
    if (!isLoopback(host)) await waitFor(reserveHost(host, deadline));
  };
  /** A stranger may have any number of names, and few addresses. */
  const waitForAddresses = async (addresses: readonly ResolvedAddress[], deadline: number): Promise<void> => {
    const blocks = new Set(
      addresses.filter(({ address }) => !isLoopback(address)).map(({ address }) => addressBlock(address)),
    );
    for (const block of blocks) await waitFor(reserveAddress(block, deadline));
  };

  return async ({ url: first, deadline, maxRedirects, ...request }) => {
    let url = first;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      await waitForHost(url, deadline);
      const timeoutMs = deadline - clock();
      if (timeoutMs <= 0) throw new OutboundError('timeout', 'took too long.');
      const response = await (ownHosts.has(url.host) ? loopback : outbound).request({
        method: 'GET',
        url,
        timeoutMs,
        acceptsEncoded: true,
        acceptsRedirect: true,
        allowsHttp: true,
        admit: (addresses) => waitForAddresses(addresses, deadline),
        ...request,
      });
      // 304 answers a conditional request; 300 and 305 name nothing to follow.
      if (![301, 302, 303, 307, 308].includes(response.status)) return { url, ...response };
      url = targetOf(response.headers.location, url);
      url.hash = '';
    }
    throw new OutboundError('redirect', `redirects more than ${maxRedirects} times.`);
  };
};
