import type { ChainServices } from '../api/http/service.js';
import type { Config } from '../config/config.js';
import { HOUR_MS } from '../duration.js';
import { AppError } from '../error.js';
import type { Job } from '../job/schedule.js';
import type { Log } from '../log.js';
import type { Network } from '../onchain/network.js';
import { createNetworks, type NetworkSet } from '../onchain/rpc/networks.js';
import { fetchStpArt, indexStp } from '../onchain/stp/index-job.js';
import { createStp } from '../onchain/stp/service.js';
import { createTokenService, type KnownTokens, type TokenService } from '../onchain/token/service.js';
import { createTradeIndex, type TradeIndex } from '../onchain/trade/trade-index.js';
import { createSender } from '../onchain/transaction/sender.js';
import { createTransactionTracker, type TransactionTracker } from '../onchain/transaction/tracker.js';
import { createWallets } from '../onchain/transaction/wallet.js';
import { createPaymentSigner } from '../onchain/x402/payment.js';
import { createSignInSigner } from '../onchain/x402/sign-in.js';
import { INVALIDATE_NOTHING } from '../store/change.js';
import type { AppOptions } from './app-options.js';
import type { Base } from './base.js';

/** What reads chains and sends transactions. */
export interface Chains {
  readonly services: ChainServices;
  readonly networks: NetworkSet;
  readonly tokens: TokenService;
  readonly tracker: TransactionTracker;
  readonly trades: TradeIndex;
  /** Runs one round of the index of subscription tokens, and reads pictures; on all networks unless one is named. */
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
/** How often tokens are searched that wallets received. */
const TRANSFERS_MS = 20_000;
/** How often trades on the local chain are searched while it has no new block. */
const LOCAL_TRADES_MS = 30_000;

const createStpServices = (
  config: Pick<Config, 'stp' | 'isCrawling'>,
  { db, log, clock, outbound, timings, networks }: Base & { readonly networks: NetworkSet },
): Pick<Chains, 'indexStp' | 'jobs'> & Pick<ChainServices, 'stp'> => {
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
  base: Base,
  {
    localChain,
    knownTokens,
  }: Pick<AppOptions, 'localChain'> & {
    readonly knownTokens: KnownTokens;
  },
): Chains => {
  const { db, metrics, log, clock, changed, timings } = base;
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
    announced: () => changed(INVALIDATE_NOTHING),
    failed: searchFailed(log, 'trades could not be searched; it is tried again'),
    skipped: (network, transaction, err) =>
      log.warn({ network, transaction, err }, 'a transaction could not be read, and is not among the trades'),
  });
  const { stp, indexStp, jobs } = createStpServices(config, { ...base, networks });
  const searchTrades: Job = {
    name: 'search-trades',
    everyMs: config.trades.everyMs,
    // New blocks of the local chain wake it.
    quietMs: Math.max(config.trades.everyMs, LOCAL_TRADES_MS),
    run: async (signal) => {
      const isMore = await trades.round(signal);
      await trades.announce();
      return isMore;
    },
  };
  const searchTransfers = { name: 'search-transfers', everyMs: TRANSFERS_MS, run: tokens.searchTransfers };
  const services: ChainServices = {
    networks,
    balances: tokens.balances,
    tokenMetadata: tokens.tokenMetadata,
    wallets: createWallets({ db }),
    sender: createSender(sending),
    stp,
    x402: { ...createPaymentSigner(signing), ...createSignInSigner(signing) },
    tokenDeployments: config.tokenDeployments,
  };
  return {
    services,
    networks,
    tokens,
    tracker: createTransactionTracker(sending),
    trades,
    indexStp,
    jobs: [
      { name: 'forget-trades', everyMs: HOUR_MS, isUpkeep: true, run: trades.forget },
      ...(networks.configured.length === 0 ? [] : [...jobs, searchTransfers, searchTrades]),
    ],
  };
};
