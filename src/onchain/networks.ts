import { setMaxListeners } from 'node:events';
import { createPublicClient } from 'viem';
import { RPC_VARIABLES, type RpcUrls } from '../config/rpc.js';
import { AppError, invalidField } from '../error.js';
import { chainTransport, PATIENCE, type Patience } from './chain-transport.js';
import { Endpoint } from './endpoint.js';
import { type ChainClient, LOCAL_CHAIN, NETWORKS, type Network, type Networks, PUBLIC_CHAINS } from './network.js';
import type { EndpointFault, RpcOutcome } from './rpc-fault.js';

/** Where the chain of the development profile answers; it may come back at another port. */
export interface LocalChainAddress {
  /** @throws AppError where it does not run. */
  url(): Promise<string>;
}

/** What became of one endpoint when it was asked for its chain. */
export interface EndpointReport {
  readonly network: Network;
  /** `RPC_BASE (2 of 3)`; never the address. */
  readonly label: string;
  /** Undefined where it is on the right chain. */
  readonly fault: EndpointFault | undefined;
  readonly ms: number;
}

export interface NetworkSet extends Networks {
  /** Asks every endpoint for its chain. Never throws: an endpoint that is away is asked again when it is needed. */
  check(): Promise<readonly EndpointReport[]>;
  /** Ends every request that is under way. */
  stop(): void;
}

export interface NetworksOptions {
  readonly rpc: RpcUrls;
  /** Stands in for every network without endpoints. */
  readonly localChain?: LocalChainAddress | undefined;
  /** Told of every request. */
  readonly done?: (network: Network, outcome: RpcOutcome, seconds: number) => void;
  /** Told when an endpoint is of no use from now on, and (without a fault) when it is again. */
  readonly turned?: (label: string, fault: EndpointFault | undefined) => void;
  readonly patience?: Patience;
}

interface Line {
  readonly chainId: number;
  readonly endpoints: readonly Endpoint[];
  readonly client: ChainClient;
}

/** @returns the AppError at the root of what viem threw; viem wraps each error in several of its own. */
const rootOf = (error: unknown): unknown => {
  for (let one: unknown = error; one instanceof Error; one = one.cause) if (one instanceof AppError) return one;
  return error;
};

/** Makes every action of a client fail with what the transport failed with, where no endpoint answered. */
const plainSpoken = (client: ChainClient): ChainClient => {
  const told =
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
    typeof value === 'function' ? told(value as (...given: unknown[]) => unknown) : value,
  ]);
  return Object.fromEntries(entries) as ChainClient;
};

/**
 * Opens the way to the networks that have endpoints. Nothing is asked before somebody asks: an endpoint's chain is
 * looked at before its first answer is believed.
 */
export const createNetworks = ({ rpc, localChain, done, turned, patience = PATIENCE }: NetworksOptions): NetworkSet => {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every request that waits for a silent network listens to it: any number is in order.
  setMaxListeners(0, signal);

  const lineOf = (network: Network): Line | undefined => {
    const urls = rpc[network];
    if (urls === undefined && localChain === undefined) return undefined;
    const chain = urls === undefined ? LOCAL_CHAIN : PUBLIC_CHAINS[network];
    const endpoint = (label: string, url: () => string | Promise<string>) =>
      new Endpoint({
        label,
        url,
        chainId: chain.id,
        done: (outcome, seconds) => done?.(network, outcome, seconds),
        turned: (name, fault) => turned?.(name, fault),
        signal,
      });
    const variable = RPC_VARIABLES[network];
    const endpoints = urls?.map((url, place) =>
      endpoint(urls.length === 1 ? variable : `${variable} (${place + 1} of ${urls.length})`, () => url.reveal()),
    ) ?? [endpoint('The local chain', () => (localChain as LocalChainAddress).url())];
    const transport = chainTransport(network, endpoints, { patience, signal });
    // A contract that is asked may name addresses to ask on its behalf (ERC-3668): strangers must not choose whom
    // this machine calls. And no block number is remembered: callers wait for the next one.
    const client = createPublicClient({ chain, transport, ccipRead: false, cacheTime: 0 });
    return { chainId: chain.id, endpoints, client: plainSpoken(client) };
  };

  const lines = new Map<Network, Line>();
  for (const network of NETWORKS) {
    const line = lineOf(network);
    if (line) lines.set(network, line);
  }

  const lineTo = (network: Network, property = 'network'): Line => {
    const line = lines.get(network);
    if (line) return line;
    const message = `The network ${network} is not configured here: the operator has to set ${RPC_VARIABLES[network]} to the address of an endpoint.`;
    throw invalidField(property, message);
  };

  const ask = async (network: Network, endpoint: Endpoint): Promise<EndpointReport> => {
    const began = performance.now();
    const fault = await endpoint.look(patience.total).then(
      () => undefined,
      (error: EndpointFault) => error,
    );
    return { network, label: endpoint.label, fault, ms: performance.now() - began };
  };

  return {
    configured: [...lines.keys()],
    client: (network, property) => lineTo(network, property).client,
    chainId: (network) => lineTo(network).chainId,
    check: () =>
      Promise.all([...lines].flatMap(([network, { endpoints }]) => endpoints.map((one) => ask(network, one)))),
    stop: () => stopping.abort(),
  };
};
