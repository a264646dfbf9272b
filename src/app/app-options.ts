import type { ResponseTimeouts } from '../api/http/response-timeout.js';
import type { ReadinessCheck, SampleFiles, SampleMiniApps, SampleWallets } from '../api/http/service.js';
import type { ServerOptions } from '../api/server.js';
import type { StripeAddress } from '../billing/stripe/client.js';
import type { SiblingLink } from '../cache/sibling.js';
import type { Database } from '../db/database.js';
import type { Log } from '../log.js';
import type { LocalChainAddress } from '../onchain/rpc/networks.js';
import type { CallTimeouts } from '../onchain/rpc/transport.js';
import type { KnownTokens } from '../onchain/token/service.js';
import type { TokenTimeouts } from '../onchain/token/timeout.js';
import type { LocalKey } from '../signer/local-key.js';
import type { ServiceCore } from './service-core.js';

/** Times that tests shorten; each is what its module defines unless it is given. */
export interface Timings {
  /** Of the calls of a chain. */
  readonly chainCalls?: CallTimeouts;
  /** Of reading tokens and their prices. */
  readonly tokens?: TokenTimeouts;
  /** Milliseconds for a request for the metadata of a subscription contract. */
  readonly stpArtMs?: number;
  /** Of responses that wait for a chain. */
  readonly responses?: Partial<ResponseTimeouts>;
  /** @returns how long storing a message may take, in milliseconds, instead of what the configuration says. */
  readonly writeMs?: () => number;
  /** Milliseconds between two writes of the counted compute units. */
  readonly usageMs?: number;
  /** Milliseconds between two reports of counted requests to the shared store. */
  readonly rateLimitMs?: number;
  /** Milliseconds between two looks for work that was not announced. */
  readonly pollMs?: number;
  /** Milliseconds until a failed call of a campaign is repeated. */
  readonly campaignMs?: number;
  /** Milliseconds between two polls of the database for the readiness check. */
  readonly databaseMs?: number;
  /** Interval in which new casts are read by the embedding model. */
  readonly embeddingMs?: number;
}

/** What a service is built from beside its configuration. */
export interface AppOptions extends Pick<ServerOptions, 'operations'> {
  readonly log: Log;
  /** Validates every response against its schema; for tests. */
  readonly validateResponses?: boolean;
  /** Used instead of the database of the configuration, and closed with the service; tests share one. */
  readonly database?: Database | undefined;
  /** Unix milliseconds; tests replace it. */
  readonly clock?: () => number;
  readonly timings?: Timings;
  /** Used as every network without endpoints. */
  readonly localChain?: LocalChainAddress | undefined;
  /** Tokens of the local chain, with their prices. */
  readonly localTokens?: KnownTokens | undefined;
  /** Readiness checks in addition to those of every service. */
  readonly readiness?: readonly ReadinessCheck[];
  /** Called just before the service listens: what answered on its port until then ends. */
  readonly releasePort?: (() => Promise<void>) | undefined;
  /** Renders the pictures and articles of the sample network, if the service may have one. */
  readonly sampleFiles?: SampleFiles | undefined;
  /** The wallets of the sample network, if the service may use them. */
  readonly sampleWallets?: SampleWallets | undefined;
  /** Registers a key of an account on the local network, in the place of a wallet and the chain. */
  readonly addLocalKey?: ((core: ServiceCore, key: LocalKey) => Promise<void>) | undefined;
  /** The mini apps of the sample network. */
  readonly sampleMiniApps?: SampleMiniApps | undefined;
  /** The way to other processes that serve the same clients. */
  readonly siblings?: SiblingLink | undefined;
  /** Replaces the address of Stripe; for tests. */
  readonly stripeAddress?: StripeAddress | undefined;
}

/** Ports that the service listens on. */
export interface AppPorts {
  /** 0 in a process that answers no requests. */
  readonly port: number;
  readonly hubPort: number | undefined;
  /** Of the hub's gRPC interface. */
  readonly hubRpcPort: number | undefined;
  readonly metricsPort: number | undefined;
}
