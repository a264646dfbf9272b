import type { Timings } from './app-options.js';
import type { Config } from './config/config.js';
import type { Database } from './db/database.js';
import type { OutboundClient } from './delivery/outbound.js';
import { AppError } from './error.js';
import type { Job } from './job/schedule.js';
import type { Log } from './log.js';
import type { Metrics } from './metric.js';
import type { Network } from './onchain/network.js';
import { createNetworks, type LocalChainAddress, type NetworkSet } from './onchain/rpc/networks.js';
import { fetchStpArt, indexStp } from './onchain/stp/index-job.js';
import { createStp, type Stp } from './onchain/stp/service.js';
import { createTokenService, type KnownTokens, type TokenService } from './onchain/token/service.js';
import { createTradeIndex, type TradeIndex } from './onchain/trade/trade-index.js';
import { createSender, type Sender } from './onchain/transaction/sender.js';
import { createTransactionTracker, type TransactionTracker } from './onchain/transaction/tracker.js';
import { createPaymentSigner, type PaymentSigner } from './onchain/x402/payment.js';
import { createSignInSigner, type SignInSigner } from './onchain/x402/sign-in.js';

interface Parts {
  readonly db: Database;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Used as every network without endpoints. */
  readonly localChain: LocalChainAddress | undefined;
  readonly knownTokens: KnownTokens;
  /** Fetches the metadata of subscription contracts. */
  readonly outbound: OutboundClient;
  readonly timings: Timings;
}

/** What reads chains and sends transactions. */
export interface ChainServices {
  readonly networks: NetworkSet;
  readonly tokens: TokenService;
  readonly sender: Sender;
  readonly tracker: TransactionTracker;
  readonly trades: TradeIndex;
  readonly x402: PaymentSigner & SignInSigner;
  /** Subscription tokens. */
  readonly stp: Stp;
  /** Runs one round of their index, and reads pictures; on all networks unless one is named. */
  readonly indexStp: (signal: AbortSignal, network?: Network) => Promise<void>;
  readonly jobs: readonly Job[];
}

/**
 * Reports a search that failed, unless no endpoint responded: that is reported when the state of an endpoint changes, and
 * not again in each round.
 */
const searchFailed =
  (log: Log, message: string) =>
  (network: string, err: unknown): void => {
    if (!(err instanceof AppError)) log.warn({ network, err }, message);
  };

/** How often the events of subscription contracts are searched. */
const STP_INDEX_MS = 30_000;
const STP_ART_MS = 60_000;

type StpServices = Pick<ChainServices, 'stp' | 'indexStp' | 'jobs'>;

const createStpServices = (
  config: Pick<Config, 'stp' | 'isCrawling'>,
  {
    db,
    log,
    clock,
    outbound,
    timings,
    networks,
  }: Omit<Parts, 'metrics' | 'localChain' | 'knownTokens'> & { networks: NetworkSet },
): StpServices => {
  const stp = createStp({
    db,
    networks,
    factories: config.stp.factories,
    clock,
    failed: (network, err) => log.warn({ network, err }, 'subscription contracts could not be read'),
  });
  const parts = {
    db,
    networks,
    factories: stp.factories,
    art: { outbound, ipfsGateway: config.stp.ipfsGateway, isFetching: config.isCrawling, timeoutMs: timings.stpArtMs },
    clock,
    failed: searchFailed(log, 'events of subscription contracts could not be searched; it is tried again'),
  };
  return {
    stp,
    indexStp: async (signal, network) => {
      const factories = stp.factories.filter((factory) => network === undefined || factory.network === network);
      await indexStp({ ...parts, factories }, signal);
      await fetchStpArt(parts, signal);
    },
    jobs: [
      { name: 'index-stp', everyMs: STP_INDEX_MS, run: (signal) => indexStp(parts, signal) },
      // Separate, because addresses that respond slowly must not delay the index.
      { name: 'fetch-stp-art', everyMs: STP_ART_MS, run: (signal) => fetchStpArt(parts, signal) },
    ],
  };
};

export const createChainServices = (
  config: Config,
  { db, metrics, log, clock, localChain, knownTokens, outbound, timings }: Parts,
): ChainServices => {
  const networks = createNetworks({
    rpc: config.rpc,
    localChain,
    timeouts: timings.chainCalls,
    onRequest: (network, outcome, seconds) => metrics.rpcSeconds.observe({ network, outcome }, seconds),
    onStateChange: (endpoint, fault) => {
      if (fault) log.warn({ endpoint, outcome: fault.outcome }, fault.shortMessage);
      else log.info({ endpoint }, 'an endpoint answers again');
    },
  });
  const warn = (details: object, message: string): void => log.warn(details, message);
  const tokens = createTokenService({
    ...{ db, networks, config: config.tokens, known: knownTokens, clock, warn },
    timeouts: timings.tokens,
  });
  const sending = {
    db,
    networks,
    masterKey: config.masterKey,
    maxFeeGwei: config.maxFeeGwei,
    clock,
    failed: (err: unknown) => log.error({ err }, 'transactions could not be looked after; they are tried again'),
  };
  const signing = {
    ...{ db, networks, masterKey: config.masterKey, clock },
    settings: config.x402,
    allowsLocalSites: config.profile === 'dev',
  };
  const trades = createTradeIndex({
    db,
    networks,
    tokenMetadata: tokens.tokenMetadata,
    wallets: config.trades.wallets,
    clock,
    failed: searchFailed(log, 'trades could not be searched; it is tried again'),
    skipped: (network, transaction, err) =>
      log.warn({ network, transaction, err }, 'a transaction could not be read, and is not among the trades'),
  });
  return {
    networks,
    tokens,
    sender: createSender(sending),
    tracker: createTransactionTracker(sending),
    trades,
    x402: { ...createPaymentSigner(signing), ...createSignInSigner(signing) },
    ...createStpServices(config, { db, log, clock, outbound, timings, networks }),
  };
};
