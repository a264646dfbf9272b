import { setMaxListeners } from 'node:events';
import { createPublicClient } from 'viem';
import { RPC_VARIABLES, type RpcUrls } from '../../config/rpc.js';
import { AppError, invalidField } from '../../error.js';
import { type ChainClient, LOCAL_CHAIN, NETWORKS, type Network, type Networks, PUBLIC_CHAINS } from '../network.js';
import { Endpoint } from './endpoint.js';
import type { EndpointError, RpcOutcome } from './error.js';
import { CALL_TIMEOUTS, type CallTimeouts, chainTransport } from './transport.js';

/** Address of the chain of the development profile. Its port changes with each start. */
export interface LocalChainAddress {
  /** @throws AppError if it is not running */
  url(): Promise<string>;
}

/** The result of asking an endpoint for its chain id. */
export interface EndpointReport {
  readonly network: Network;
  /** `CASTELLAN_RPC_BASE (2 of 3)`, never the URL. */
  readonly label: string;
  /** Undefined if it is on the right chain. */
  readonly error: EndpointError | undefined;
  readonly ms: number;
}

export interface NetworkSet extends Networks {
  /** Asks every endpoint for its chain id. Never throws: an endpoint that is down is asked again on its first use. */
  check(): Promise<readonly EndpointReport[]>;
  /** Aborts all pending requests. */
  stop(): void;
}

export interface NetworksOptions {
  readonly rpc: RpcUrls;
  /** Replaces every network without endpoints. */
  readonly localChain?: LocalChainAddress | undefined;
  /** Called after every request. */
  readonly onRequest?: (network: Network, outcome: RpcOutcome, seconds: number) => void;
  /** Called when an endpoint becomes unusable, and without an error when it is usable again. */
  readonly onStateChange?: (label: string, error: EndpointError | undefined) => void;
  readonly timeouts?: CallTimeouts | undefined;
  /** Replaces how long an endpoint is tried last after an error, in milliseconds. */
  readonly cooldownMs?: number;
  /** Replaces the timeout of a check of the chain id, in milliseconds. */
  readonly checkMs?: number;
}

interface NetworkEntry {
  readonly chainId: number;
  readonly endpoints: readonly Endpoint[];
  readonly client: ChainClient;
}

/** @returns the AppError among the causes of an error; viem wraps each error several times */
const rootOf = (error: unknown): unknown => {
  for (let one: unknown = error; one instanceof Error; one = one.cause) if (one instanceof AppError) return one;
  return error;
};

/** Makes every action of a client throw the AppError of the transport, if no endpoint responded. */
const withTransportErrors = (client: ChainClient): ChainClient => {
  const withRootError =
    (action: (...given: unknown[]) => unknown) =>
    (...given: unknown[]) => {
      const result = action(...given);
      if (!(result instanceof Promise)) return result;
      return result.catch((error: unknown) => {
        throw rootOf(error);
      });
    };
  const entries = Object.entries(client).map(([name, value]) => [
    name,
    typeof value === 'function' ? withRootError(value as (...given: unknown[]) => unknown) : value,
  ]);
  return Object.fromEntries(entries) as ChainClient;
};

/**
 * Creates the clients of the configured networks. It sends no request: the chain id of an endpoint is checked on its
 * first use.
 */
export const createNetworks = ({
  rpc,
  localChain,
  onRequest,
  onStateChange,
  timeouts = CALL_TIMEOUTS,
  cooldownMs,
  checkMs,
}: NetworksOptions): NetworkSet => {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every pending request adds a listener.
  setMaxListeners(0, signal);

  const createEntry = (network: Network): NetworkEntry | undefined => {
    const urls = rpc[network];
    if (urls === undefined && localChain === undefined) return undefined;
    const chain = urls === undefined ? LOCAL_CHAIN : PUBLIC_CHAINS[network];
    const endpoint = (label: string, url: () => string | Promise<string>) =>
      new Endpoint({
        label,
        url,
        chainId: chain.id,
        cooldownMs,
        checkMs,
        onRequest: (outcome, seconds) => onRequest?.(network, outcome, seconds),
        onStateChange: (name, error) => onStateChange?.(name, error),
        signal,
      });
    const variable = RPC_VARIABLES[network];
    const endpoints = urls?.map((url, index) =>
      endpoint(urls.length === 1 ? variable : `${variable} (${index + 1} of ${urls.length})`, () => url.reveal()),
    ) ?? [endpoint('The local chain', () => (localChain as LocalChainAddress).url())];
    const transport = chainTransport(network, endpoints, { timeouts, signal });
    // A called contract could name URLs to fetch (ERC-3668); untrusted contracts must not choose whom this server
    // calls. Block numbers are not cached, because callers wait for the next block.
    const client = createPublicClient({ chain, transport, ccipRead: false, cacheTime: 0 });
    return { chainId: chain.id, endpoints, client: withTransportErrors(client) };
  };

  const entries = new Map<Network, NetworkEntry>();
  for (const network of NETWORKS) {
    const entry = createEntry(network);
    if (entry) entries.set(network, entry);
  }

  const entryOf = (network: Network, property = 'network'): NetworkEntry => {
    const entry = entries.get(network);
    if (entry) return entry;
    const message = `The network ${network} is not configured here: the operator has to set ${RPC_VARIABLES[network]} to the address of an endpoint.`;
    throw invalidField(property, message);
  };

  const checkEndpoint = async (network: Network, endpoint: Endpoint): Promise<EndpointReport> => {
    const began = performance.now();
    const error = await endpoint.check(timeouts.total).then(
      () => undefined,
      (error: EndpointError) => error,
    );
    return { network, label: endpoint.label, error, ms: performance.now() - began };
  };

  return {
    configured: [...entries.keys()],
    client: (network, property) => entryOf(network, property).client,
    chainId: (network) => entryOf(network).chainId,
    check: () =>
      Promise.all(
        [...entries].flatMap(([network, { endpoints }]) => endpoints.map((one) => checkEndpoint(network, one))),
      ),
    stop: () => stopping.abort(),
  };
};
