import type { Hex } from 'viem';
import { deleteTradesBefore, selectTradeSearch } from '../../store/onchain/trade.js';
import { selectWatchedWallets } from '../../store/onchain/trade-list.js';
import { requireBlock } from '../log-search/block.js';
import { createMiningCheck } from '../mining-check.js';
import { LOCAL_CHAIN_ID, NETWORKS, type Network, type NetworkDependencies, type Networks } from '../network.js';
import type { TokenMetadata } from '../token/metadata.js';
import { announceNewTrades } from './announcement.js';
import { isSearchRefused, scanTrades } from './scan.js';

/** The longest window of a request is a day shorter. */
const KEPT_MS = 8 * 24 * 60 * 60 * 1000;

/**
 * How soon blocks that may be replaced are read again while the chain has no new one: a price may be known now, or a node
 * have what it lacked.
 */
const REREAD_MS = 10 * 60 * 1000;

export interface TradeIndexParts extends NetworkDependencies {
  readonly tokenMetadata: TokenMetadata;
  /** Number of wallets to watch; 0 switches the search off. */
  readonly wallets: number;
  /** Called after trades were written into the event log. */
  readonly announced: () => void;
  /** Called with a transaction that is left out, because what contracts wrote cannot be read. */
  readonly skipped: (network: Network, transaction: Hex, error: unknown) => void;
}

/** Searches trades, and writes them into the event log. */
export interface TradeIndex {
  /**
   * Runs one round on each network. Rounds are repeated, in one process at a time. A network that does not respond is
   * reported and tried again.
   * @returns true if a network was not searched completely, because its past is long or it is mining
   * @throws the signal's reason when it aborts
   */
  round(signal: AbortSignal): Promise<boolean>;
  /** Deletes trades that no request can show any more, also of networks that are not searched now. */
  forget(): Promise<void>;
  /** Writes trades that have their confirmations into the event log. In one process at a time, as `round`. */
  announce(): Promise<void>;
}

/** @returns the networks whose trades are shown, each chain once: in development all networks are one, called base */
const searchedNetworks = (networks: Networks): Network[] => {
  const byChain = new Map<number, Network>();
  for (const network of networks.configured.filter((one) => one !== 'base-sepolia')) {
    const chainId = networks.chainId(network);
    if (!byChain.has(chainId) || network === 'base') byChain.set(chainId, network);
  }
  return [...byChain.values()];
};

export const createTradeIndex = ({
  db,
  networks,
  tokenMetadata,
  wallets,
  clock,
  announced,
  failed,
  skipped,
}: TradeIndexParts): TradeIndex => {
  const checkMining = createMiningCheck();
  /** What was searched on each network when a round found everything: the newest block, the range, and the wallets. */
  const searched = new Map<Network, { readonly span: string; readonly at: number }>();
  const isBusy = async (network: Network): Promise<boolean> =>
    networks.chainId(network) === LOCAL_CHAIN_ID && checkMining(await networks.client(network).getBlockNumber());

  return {
    round: async (signal) => {
      if (wallets === 0) return false;
      const watched = await selectWatchedWallets(db, wallets);
      if (watched.size === 0) return false;
      let isMore = false;
      const search = async (network: Network): Promise<void> => {
        if (await isBusy(network)) {
          isMore = true;
          return;
        }
        const chain = { network, chainId: networks.chainId(network), client: networks.client(network) };
        const state = await selectTradeSearch(db, network);
        if (isSearchRefused(state, chain.chainId, clock())) return;
        const head = await requireBlock(chain.client);
        const span = `${chain.chainId} ${head.hash.toString('hex')} ${state?.low} ${state?.high} ${[...watched.keys()].join()}`;
        const last = searched.get(network);
        if (last?.span === span && last.at > performance.now() - REREAD_MS) return;
        const parts = { db, ...chain, tokenMetadata, wallets: watched, now: clock(), signal };
        const report = (hash: Hex, error: unknown): void => skipped(network, hash, error);
        const isAll = await scanTrades({ ...parts, skipped: report }, head, state);
        if (isAll) searched.set(network, { span, at: performance.now() });
        else isMore = true;
      };
      await Promise.all(
        searchedNetworks(networks).map((network) =>
          search(network).catch((error: unknown) => {
            if (!signal.aborted) failed(network, error);
          }),
        ),
      );
      signal.throwIfAborted();
      return isMore;
    },
    forget: () => deleteTradesBefore(db, NETWORKS, new Date(clock() - KEPT_MS)),
    announce: async () => {
      if (await announceNewTrades({ db, networks, tokenMetadata })) announced();
    },
  };
};
