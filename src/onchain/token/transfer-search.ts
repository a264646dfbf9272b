import { type Address, type Hex, numberToHex, pad } from 'viem';
import { selectUnreadTokens, upsertChainTokens } from '../../store/onchain/token.js';
import {
  type ReceivedToken,
  selectDueSearches,
  selectTransferSpan,
  type TransferSearchRow,
  updateAvailableEndpoint,
  updateTransferSearch,
  updateTransferTurn,
  upsertTransferEndpoint,
  upsertUnavailableEndpoint,
  upsertWalletTokens,
} from '../../store/onchain/transfer-search.js';
import type { ChainClient, Network, NetworkDependencies } from '../network.js';
import { type LogSearchFailure, logSearchFailureOf } from '../rpc/log-search-error.js';
import { readTokenContracts } from './contract.js';
import type { TokenLists } from './list.js';

/** Requests that the search of a wallet may use for past blocks, on each chain. */
export const SEARCH_BUDGET = 400;

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** ERC-20 indexes sender and recipient; ERC-721 has the same event and also indexes the token. */
const ERC20_TOPICS = 3;

const FIRST_SPAN = 50_000;
const MAX_SPAN = 20_000_000;
/** A searched block may still be replaced in a reorganization. */
const REORG_BLOCKS = 32;
/** Wallets in one round of a chain, and requests for each. The rest follows in later rounds. */
const MAX_SEARCHES = 20;
const MAX_REQUESTS = 25;
/** Tokens stored from one response, the newest first, so that spam cannot fill the database or use up a round. */
const MAX_TOKENS = 500;
const HOUR_MS = 60 * 60 * 1000;
const REFUSED_MS = 24 * HOUR_MS;
const REREAD_MS = 7 * 24 * HOUR_MS;

interface RawLog {
  readonly address?: unknown;
  readonly topics?: readonly unknown[];
  readonly blockNumber?: unknown;
}

export interface SearchDependencies extends NetworkDependencies {
  /** Their balances are read for every wallet anyway. */
  readonly lists: TokenLists;
  /** Called with the reason if an endpoint does not support log searches, for the operator. */
  readonly refused: (network: Network, reason: string) => void;
}

/**
 * Ends the round of a chain. `isUnavailable`: the endpoint does not respond; otherwise it is slow, or does not support
 * searches.
 */
class ChainScanAborted extends Error {
  constructor(readonly isUnavailable: boolean) {
    super();
  }
}

/** @returns the ERC-20 tokens of well-formed logs with their latest block, the newest first */
const tokensOf = (logs: readonly RawLog[]): ReceivedToken[] => {
  const newest = new Map<string, number>();
  for (const { address, topics, blockNumber } of logs) {
    if (typeof address !== 'string' || !/^0x[0-9a-f]{40}$/i.test(address) || topics?.length !== ERC20_TOPICS) continue;
    const token = address.slice(2).toLowerCase();
    const block = typeof blockNumber === 'string' ? Number(blockNumber) : Number.NaN;
    if (Number.isSafeInteger(block)) newest.set(token, Math.max(block, newest.get(token) ?? 0));
  }
  return [...newest].map(([token, block]) => ({ token, block })).sort((a, b) => b.block - a.block);
};

/**
 * One round of one chain: searches its wallets one after another, with as large block ranges as the endpoint accepts.
 */
class ChainScan {
  readonly #deps: SearchDependencies;
  readonly #network: Network;
  readonly #client: ChainClient;
  readonly #chainId: number;
  readonly #signal: AbortSignal;
  #span = FIRST_SPAN;
  /** The largest range that the endpoint may accept in this round. */
  #ceiling = MAX_SPAN;
  #retainedSpan: number | undefined;

  constructor(deps: SearchDependencies, network: Network, signal: AbortSignal) {
    this.#deps = deps;
    this.#network = network;
    this.#client = deps.networks.client(network);
    this.#chainId = deps.networks.chainId(network);
    this.#signal = signal;
  }

  async run(searches: readonly TransferSearchRow[]): Promise<void> {
    const { db, failed, clock } = this.#deps;
    this.#retainedSpan = await selectTransferSpan(db, this.#chainId);
    this.#span = this.#retainedSpan ?? FIRST_SPAN;
    let isUnavailable = false;
    try {
      const head = Number(await this.#client.getBlockNumber());
      for (const search of searches) {
        this.#signal.throwIfAborted();
        await updateTransferTurn(db, search, new Date(clock()));
        await this.#search(search, head);
      }
    } catch (error) {
      isUnavailable = !this.#signal.aborted && (!(error instanceof ChainScanAborted) || error.isUnavailable);
      if (isUnavailable && !(error instanceof ChainScanAborted)) failed(this.#network, error);
    }
    if (this.#span !== this.#retainedSpan) await upsertTransferEndpoint(db, this.#chainId, this.#span, null);
    if (isUnavailable) await upsertUnavailableEndpoint(db, this.#chainId, this.#span, new Date(clock()));
    else if (!this.#signal.aborted) await updateAvailableEndpoint(db, this.#chainId);
  }

  /** Searches new blocks first, then past ones. */
  async #search(row: TransferSearchRow, head: number): Promise<void> {
    const began = new Date(this.#deps.clock());
    let low: number = row.low ?? head + 1;
    let high: number = row.high ?? head;
    let { budget } = row;
    // Before the first search all blocks are past ones.
    let from = high >= head ? head + 1 : Math.max(0, high - REORG_BLOCKS + 1);
    for (let request = 0; request < MAX_REQUESTS; request += 1) {
      this.#signal.throwIfAborted();
      const isNew = from <= head;
      if (!isNew && (low === 0 || budget <= 0)) break;
      const first = isNew ? from : Math.max(0, low - this.#span);
      const last = isNew ? Math.min(head, from + this.#span - 1) : low - 1;
      const logs = await this.#logs(row.wallet, first, last);
      budget -= isNew ? 0 : 1;
      if (logs !== undefined) {
        if (isNew) {
          from = last + 1;
          high = Math.max(high, last);
        } else low = first;
        await this.#keep({ ...row, low, high, budget }, logs);
      }
    }
    const isThrough = from > head && (low === 0 || budget <= 0);
    await updateTransferSearch(this.#deps.db, { ...row, low, high, budget }, isThrough ? began : null);
  }

  /** @returns undefined if the range was too large; the next request uses a smaller one */
  async #logs(wallet: string, first: number, last: number): Promise<readonly RawLog[] | undefined> {
    const [fromBlock, toBlock] = [numberToHex(first), numberToHex(last)];
    const filter = { fromBlock, toBlock, topics: [TRANSFER, null, pad(`0x${wallet}`)] };
    try {
      const logs: unknown = await this.#client.request({ method: 'eth_getLogs', params: [filter as never] });
      const requested = last - first + 1;
      if (requested >= this.#span) this.#span = Math.min(this.#ceiling, this.#span * 2);
      return Array.isArray(logs) ? (logs as RawLog[]) : [];
    } catch (error) {
      await this.#shrink(logSearchFailureOf(error), last - first + 1);
      return undefined;
    }
  }

  /** @throws ChainScanAborted if a smaller range would not help */
  async #shrink(refusal: LogSearchFailure, requested: number): Promise<void> {
    const { db, clock, refused } = this.#deps;
    if (refusal.kind === 'away') throw new ChainScanAborted(true);
    if (refusal.kind === 'method' || requested === 1) {
      this.#retainedSpan = this.#span;
      await upsertTransferEndpoint(db, this.#chainId, this.#span, { at: new Date(clock()), reason: refusal.reason });
      refused(this.#network, refusal.reason);
      throw new ChainScanAborted(false);
    }
    this.#ceiling = Math.max(1, requested - 1);
    this.#span = Math.max(1, Math.floor(Math.min(requested, this.#span) / 4));
    if (refusal.kind === 'slow') throw new ChainScanAborted(false);
  }

  async #keep(search: TransferSearchRow, logs: readonly RawLog[]): Promise<void> {
    const { db, clock } = this.#deps;
    const listed = this.#deps.lists.of(this.#chainId);
    const tokens = tokensOf(logs)
      .filter(({ token }) => !listed.has(`0x${token}`))
      .slice(0, MAX_TOKENS);
    const names = tokens.map(({ token }) => token);
    const since = new Date(clock() - REREAD_MS);
    const unread = names.length === 0 ? [] : await selectUnreadTokens(db, this.#chainId, names, since);
    this.#signal.throwIfAborted();
    const contracts = await readTokenContracts(
      this.#client,
      unread.map((name): Address => `0x${name}`),
    );
    this.#signal.throwIfAborted();
    const read = unread.map((address, index) => ({ address, token: contracts[index] ?? null }));
    await db.transaction(async (session) => {
      if (read.length > 0) await upsertChainTokens(session, this.#chainId, read, new Date(clock()));
      if (tokens.length > 0) await upsertWalletTokens(session, this.#chainId, search.wallet, tokens);
      await updateTransferSearch(session, search, null);
    });
  }
}

/**
 * Runs one round of the search for received tokens. It searches the Transfer events of wallets whose balances were
 * requested, the newest blocks first, in ranges that the endpoint accepts. The next request for balances reads what was
 * found. Rounds are repeated, in one process at a time.
 * @throws the signal's reason when it aborts
 */
export const searchTransfers = async (deps: SearchDependencies, signal: AbortSignal): Promise<void> => {
  const { db, networks, clock } = deps;
  const chains = new Map(networks.configured.map((network) => [networks.chainId(network), network]));
  const when = { now: new Date(clock()), refusedSince: new Date(clock() - REFUSED_MS) };
  const due = await selectDueSearches(db, [...chains.keys()], when, MAX_SEARCHES);
  const turns = [...chains].map(async ([chainId, network]) => {
    const searches = due.filter((search) => search.chain_id === chainId);
    if (searches.length > 0) await new ChainScan(deps, network, signal).run(searches);
  });
  await Promise.all(turns);
  signal.throwIfAborted();
};
