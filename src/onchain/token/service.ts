import { readFileSync } from 'node:fs';
import type { TokenConfig } from '../../config/config.js';
import { ConfigError, type ConfigProblem } from '../../config/reader.js';
import type { Database } from '../../db/database.js';
import { createOutbound } from '../../delivery/outbound.js';
import type { Network, Networks } from '../network.js';
import { type Balances, createBalances } from './balance.js';
import { DEFAULT_TOKENS } from './default-token.js';
import { createTokenLists, type ListedToken, parseTokenList, TokenListError } from './list.js';
import { createTokenMetadata, type TokenMetadata } from './metadata.js';
import { createPrices, type PriceSource } from './price.js';
import { apiPriceSource, PUBLIC_PRICE_API } from './price-api.js';
import { feedPriceSource, PUBLIC_FEEDS } from './price-feed.js';
import { type FixedPrice, fixedPriceSource, PriceFileError, parsePriceFile } from './price-file.js';
import { TOKEN_TIMEOUTS, type TokenTimeouts } from './timeout.js';
import { searchTransfers } from './transfer-search.js';

/** Configured tokens and prices. */
export interface KnownTokens {
  readonly lists: readonly (readonly ListedToken[])[];
  readonly prices: readonly FixedPrice[];
}

/** Token data for requests and jobs. */
export interface TokenService {
  readonly balances: Balances;
  readonly tokenMetadata: TokenMetadata;
  /** Runs one round of the transfer search. */
  searchTransfers(signal: AbortSignal): Promise<void>;
}

/** @returns the message of an error about the content of a file; undefined for another error */
const problemOf = (error: unknown): string | undefined => {
  if (error instanceof TokenListError || error instanceof PriceFileError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? undefined : `cannot be read (${code})`;
};

/**
 * Reads the files in the configuration.
 * @param local the tokens of the local chain, if it is used
 * @throws ConfigError naming every file that cannot be read or is invalid
 */
export const readKnownTokens = (config: TokenConfig, local?: KnownTokens): KnownTokens => {
  const problems: ConfigProblem[] = [];
  const attempt = <Content>(variable: string, path: string, parse: (text: string) => readonly Content[]) => {
    try {
      return parse(readFileSync(path, 'utf8'));
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      problems.push({ variable, problem: `the file ${path} ${problem}.` });
      return [];
    }
  };
  const lists = config.lists.map((path) => attempt('CASTELLAN_TOKEN_LIST', path, parseTokenList));
  const prices =
    config.priceFile === undefined ? [] : attempt('CASTELLAN_PRICE_FILE', config.priceFile, parsePriceFile);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    lists: [DEFAULT_TOKENS, ...(local?.lists ?? []), ...lists],
    prices: [...(local?.prices ?? []), ...prices],
  };
};

/** @param dependencies `clock` in Unix milliseconds; `warn` is called with warnings for the operator */
export const createTokenService = (dependencies: {
  readonly db: Database;
  readonly networks: Networks;
  readonly config: TokenConfig;
  readonly known: KnownTokens;
  readonly clock: () => number;
  readonly warn: (details: Readonly<Record<string, unknown>>, message: string) => void;
  /** Those of `TOKEN_TIMEOUTS` unless given. */
  readonly timeouts?: TokenTimeouts | undefined;
}): TokenService => {
  const { db, networks, config, known, clock, warn, timeouts = TOKEN_TIMEOUTS } = dependencies;
  const failed = (network: Network, error: unknown): void =>
    warn({ network, err: error }, 'a network did not answer: its tokens are missing in an answer');
  const sources: PriceSource[] = known.prices.length > 0 ? [fixedPriceSource(known.prices)] : [];
  for (const name of config.priceSources) {
    if (name === 'onchain') sources.push(feedPriceSource({ networks, feeds: PUBLIC_FEEDS, clock }));
    else {
      // The URL comes from the operator, not from a user, so it may be on this machine.
      const outbound = createOutbound({ allowLoopback: config.priceApi !== undefined });
      const base = config.priceApi ?? PUBLIC_PRICE_API;
      sources.push(apiPriceSource({ base, outbound, clock, timeoutMs: timeouts.priceApi }));
    }
  }
  const prices = createPrices({
    sources,
    clock,
    timeoutMs: timeouts.prices,
    failed: (source, error) => warn({ source, err: error }, 'prices could not be read: they are null where unknown'),
  });
  const lists = createTokenLists(known.lists);
  return {
    balances: createBalances({ db, networks, lists, prices, clock, failed, networkTimeoutMs: timeouts.network }),
    tokenMetadata: createTokenMetadata({ networks, lists, prices, failed, networkTimeoutMs: timeouts.network }),
    searchTransfers: (signal) =>
      searchTransfers(
        {
          db,
          networks,
          lists,
          clock,
          refused: (network, reason) =>
            warn(
              { network, reason },
              'the endpoint searches no events: tokens outside the lists stay unknown for a day',
            ),
          failed: (network, error) => warn({ network, err: error }, 'events could not be searched; tried again later'),
        },
        signal,
      ),
  };
};
