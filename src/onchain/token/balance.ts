import type { Address } from 'viem';
import { AppError } from '../../error.js';
import { upsertTransferSearches } from '../../store/onchain/transfer-search.js';
import { withTimeout } from '../../timeout.js';
import type { Network, NetworkDependencies } from '../network.js';
import { compareDecimal, type Decimal, multiply } from './decimal.js';
import { readTokenBalances, type TokenHolding } from './holding.js';
import type { TokenLists } from './list.js';
import { type Price, type Prices, priceKey } from './price.js';
import { SEARCH_BUDGET } from './transfer-search.js';

/** A holding with its value. */
export interface Balance extends TokenHolding {
  /** Undefined if unknown. */
  readonly price: Price | undefined;
  /** US dollars, exact; undefined without a price. */
  readonly usd: Decimal | undefined;
}

export interface BalanceResult {
  /** The most valuable first; see `compareBalances`. */
  readonly balances: readonly Balance[];
  /** Networks that did not respond, in the order of the request. */
  readonly partial: readonly Network[];
}

export type Balances = ReturnType<typeof createBalances>;

export interface BalanceDependencies extends NetworkDependencies {
  readonly lists: TokenLists;
  readonly prices: Prices;
  /** Milliseconds after which a network is left out. */
  readonly networkTimeoutMs: number;
}

const compareText = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/**
 * Sorts balances by value, the highest first; then those without a price, of which tokens in no list come last (anybody
 * can send such tokens); then by network and address.
 */
export const compareBalances = (a: Balance, b: Balance): number => {
  if (a.usd && b.usd) {
    const worth = compareDecimal(b.usd, a.usd);
    if (worth !== 0) return worth;
  } else if (a.usd || b.usd) return a.usd ? -1 : 1;
  else if (a.token.isListed !== b.token.isListed) return a.token.isListed ? -1 : 1;
  return compareText(a.token.network, b.token.network) || compareText(a.token.address, b.token.address);
};

const valued = (holding: TokenHolding, price: Price | undefined): Balance => ({
  ...holding,
  price,
  usd: price && multiply(price.usd, { digits: holding.amount, scale: holding.token.decimals }),
});

export const createBalances = (deps: BalanceDependencies) => {
  const { db, networks, prices, clock, failed, networkTimeoutMs } = deps;

  const readNetwork = async (network: Network, wallets: readonly Address[]): Promise<TokenHolding[] | undefined> => {
    try {
      return await withTimeout(readTokenBalances(deps, network, wallets), networkTimeoutMs);
    } catch (error) {
      failed(network, error);
      return undefined;
    }
  };

  return {
    /**
     * @param wallets in lower case
     * @param requested all configured
     * @throws AppError internal with code `ChainUnavailable` if none of the networks responds
     */
    read: async (wallets: readonly Address[], requested: readonly Network[]): Promise<BalanceResult> => {
      if (wallets.length === 0) return { balances: [], partial: [] };
      const names = wallets.map((wallet) => wallet.slice(2));
      const chainIds = requested.map((network) => networks.chainId(network));
      const [held] = await Promise.all([
        Promise.all(requested.map((network) => readNetwork(network, wallets))),
        upsertTransferSearches(db, chainIds, names, { now: new Date(clock()), budget: SEARCH_BUDGET }),
      ]);
      const partial = requested.filter((_, index) => held[index] === undefined);
      if (partial.length === requested.length) {
        const message = `None of the networks asked for answers at the moment (${requested.join(', ')}). Try again shortly.`;
        throw new AppError('internal', 'ChainUnavailable', message);
      }
      const holdings = held.flatMap((one) => one ?? []);
      const known = await prices.of(holdings.map(({ token }) => token));
      const balances = holdings.map((holding) => valued(holding, known.get(priceKey(holding.token))));
      return { balances: balances.sort(compareBalances), partial };
    },
  };
};
