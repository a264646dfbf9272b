import type { Address } from 'viem';
import { AppError } from '../../error.js';
import type { Database } from '../../store/database.js';
import { upsertTransferSearches } from '../../store/transfer-search.js';
import { compareDecimal, type Decimal, multiply } from './decimal.js';
import { type Holding, readHoldings } from './holding.js';
import type { Network, Networks } from '../network.js';
import { type Price, type Prices, priceKey } from './price.js';
import { withinTime } from '../time-limit.js';
import type { TokenLists } from './list.js';
import { SEARCH_BUDGET } from './transfer-search.js';

/** A holding with what it is worth. */
export interface Balance extends Holding {
  /** Undefined: nobody knows. */
  readonly price: Price | undefined;
  /** US dollars, exact; undefined without a price. */
  readonly usd: Decimal | undefined;
}

export interface BalanceReading {
  /** The most valuable first; see `compareBalances`. */
  readonly balances: readonly Balance[];
  /** Networks that did not answer, in the order asked for. */
  readonly partial: readonly Network[];
}

/** Reads what wallets hold. */
export interface Balances {
  /**
   * @param wallets in lower case
   * @param networks each of them configured
   * @throws AppError internal with code `ChainUnavailable` when none of the networks answers.
   */
  read(wallets: readonly Address[], networks: readonly Network[]): Promise<BalanceReading>;
}

export interface BalanceParts {
  readonly db: Database;
  readonly networks: Networks;
  readonly lists: TokenLists;
  readonly prices: Prices;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Told of a network that did not answer. */
  readonly failed: (network: Network, error: unknown) => void;
}

/** With the three seconds of prices it stays within a request's ten. */
const NETWORK_TIMEOUT_MS = 5000;

const compareText = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/**
 * The order of balances: by their worth, the highest first; those without a price after them, and of these the ones
 * that are in no list last (anybody can send such tokens); then by network and address.
 */
export const compareBalances = (a: Balance, b: Balance): number => {
  if (a.usd && b.usd) {
    const worth = compareDecimal(b.usd, a.usd);
    if (worth !== 0) return worth;
  } else if (a.usd || b.usd) return a.usd ? -1 : 1;
  else if (a.token.isListed !== b.token.isListed) return a.token.isListed ? -1 : 1;
  return compareText(a.token.network, b.token.network) || compareText(a.token.address, b.token.address);
};

const valued = (holding: Holding, price: Price | undefined): Balance => ({
  ...holding,
  price,
  usd: price && multiply(price.usd, { digits: holding.amount, scale: holding.token.decimals }),
});

export const createBalances = (parts: BalanceParts): Balances => {
  const { db, networks, prices, clock, failed } = parts;

  const readNetwork = async (network: Network, wallets: readonly Address[]): Promise<Holding[] | undefined> => {
    try {
      return await withinTime(readHoldings(parts, network, wallets), NETWORK_TIMEOUT_MS);
    } catch (error) {
      failed(network, error);
      return undefined;
    }
  };

  return {
    read: async (wallets, asked) => {
      if (wallets.length === 0) return { balances: [], partial: [] };
      const names = wallets.map((wallet) => wallet.slice(2));
      const chainIds = asked.map((network) => networks.chainId(network));
      const [held] = await Promise.all([
        Promise.all(asked.map((network) => readNetwork(network, wallets))),
        upsertTransferSearches(db, chainIds, names, { now: new Date(clock()), budget: SEARCH_BUDGET }),
      ]);
      const partial = asked.filter((_, index) => held[index] === undefined);
      if (partial.length === asked.length) {
        const message = `None of the networks asked for answers at the moment (${asked.join(', ')}). Try again shortly.`;
        throw new AppError('internal', 'ChainUnavailable', message);
      }
      const holdings = held.flatMap((one) => one ?? []);
      const known = await prices.of(holdings.map(({ token }) => token));
      const balances = holdings.map((holding) => valued(holding, known.get(priceKey(holding.token))));
      return { balances: balances.sort(compareBalances), partial };
    },
  };
};
