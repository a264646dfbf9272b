import { type Address, type Hex, numberToHex, pad } from 'viem';
import { selectUnreadTokens, upsertChainTokens } from '../../store/chain-token.js';
import type { Database } from '../../store/database.js';
import {
  type ReceivedToken,
  selectDueSearches,
  selectTransferSpan,
  type TransferSearchRow,
  updatePresentEndpoint,
  updateTransferSearch,
  updateTransferTurn,
  upsertAwayEndpoint,
  upsertTransferEndpoint,
  upsertWalletTokens,
} from '../../store/transfer-search.js';
import { type LogRefusal, logRefusalOf } from '../log-refusal.js';
import type { ChainClient, Network, Networks } from '../network.js';
import { readTokenContracts } from './contract.js';
import type { TokenLists } from './list.js';

/** Requests that the search of a wallet may spend on blocks of the past, on each chain. */
export const SEARCH_BUDGET = 400;

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** ERC-20 indexes sender and recipient; ERC-721 has the same event and indexes the token too. */
const ERC20_TOPICS = 3;

const FIRST_SPAN = 50_000;
const MAX_SPAN = 20_000_000;
/** A block that was searched may still be replaced by another one. */
const REORG_BLOCKS = 32;
/** Searches of one turn on each chain, and requests of each: what is left has its turn later. */
const MAX_SEARCHES = 20;
const MAX_REQUESTS = 25;
/** Tokens kept of one answer, the newest: whoever floods a wallet fills neither the database nor the turn. */
const MAX_TOKENS = 500;
const HOUR_MS = 60 * 60 * 1000;
const REFUSED_MS = 24 * HOUR_MS;
const READ_AGAIN_MS = 7 * 24 * HOUR_MS;

interface RawLog {
  readonly address?: unknown;
  readonly topics?: readonly unknown[];
  readonly blockNumber?: unknown;
}

export interface SearchParts {
  readonly db: Database;
  readonly networks: Networks;
  /** What they name is read for every wallet anyhow. */
  readonly lists: TokenLists;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Told of an endpoint that searches nothing, in words for the operator. */
  readonly refused: (network: Network, reason: string) => void;
  readonly failed: (network: Network, error: unknown) => void;
}

/** Ends the turn of a chain. `isAway`: it says nothing of use; otherwise it is slow, or does not search. */
class TurnEnd extends Error {
  constructor(readonly isAway: boolean) {
    super();
  }
}

/** @returns the ERC-20 tokens of well-formed logs, each with its newest block, the newest first. */
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

/** The turn of one chain: its wallets one after another, with as many blocks at once as the endpoint takes. */
class ChainTurn {
  readonly #parts: SearchParts;
  readonly #network: Network;
  readonly #client: ChainClient;
  readonly #chainId: number;
  readonly #signal: AbortSignal;
  #span = FIRST_SPAN;
  /** What was too much in this turn is not tried again in it. */
  #ceiling = MAX_SPAN;
  #keptSpan: number | undefined;

  constructor(parts: SearchParts, network: Network, signal: AbortSignal) {
    this.#parts = parts;
    this.#network = network;
    this.#client = parts.networks.client(network);
    this.#chainId = parts.networks.chainId(network);
    this.#signal = signal;
  }

  async run(searches: readonly TransferSearchRow[]): Promise<void> {
    const { db, failed, clock } = this.#parts;
    this.#keptSpan = await selectTransferSpan(db, this.#chainId);
    this.#span = this.#keptSpan ?? FIRST_SPAN;
    let isAway = false;
    try {
      const head = Number(await this.#client.getBlockNumber());
      for (const search of searches) {
        this.#signal.throwIfAborted();
        await updateTransferTurn(db, search, new Date(clock()));
        await this.#search(search, head);
      }
    } catch (error) {
      isAway = !this.#signal.aborted && (!(error instanceof TurnEnd) || error.isAway);
      if (isAway && !(error instanceof TurnEnd)) failed(this.#network, error);
    }
    if (this.#span !== this.#keptSpan) await upsertTransferEndpoint(db, this.#chainId, this.#span, null);
    if (isAway) await upsertAwayEndpoint(db, this.#chainId, this.#span, new Date(clock()));
    else if (!this.#signal.aborted) await updatePresentEndpoint(db, this.#chainId);
  }

  /** New blocks first, then further into the past. */
  async #search(row: TransferSearchRow, head: number): Promise<void> {
    const began = new Date(this.#parts.clock());
    let low: number = row.low ?? head + 1;
    let high: number = row.high ?? head;
    let { budget } = row;
    // Where nothing is searched yet, everything lies in the past.
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
    await updateTransferSearch(this.#parts.db, { ...row, low, high, budget }, isThrough ? began : null);
  }

  /** @returns undefined when the blocks were too many: the next request asks for fewer. */
  async #logs(wallet: string, first: number, last: number): Promise<readonly RawLog[] | undefined> {
    const [fromBlock, toBlock] = [numberToHex(first), numberToHex(last)];
    const filter = { fromBlock, toBlock, topics: [TRANSFER, null, pad(`0x${wallet}`)] };
    try {
      const logs: unknown = await this.#client.request({ method: 'eth_getLogs', params: [filter as never] });
      const asked = last - first + 1;
      if (asked >= this.#span) this.#span = Math.min(this.#ceiling, this.#span * 2);
      return Array.isArray(logs) ? (logs as RawLog[]) : [];
    } catch (error) {
      await this.#shrink(logRefusalOf(error), last - first + 1);
      return undefined;
    }
  }

  /** @throws TurnEnd when fewer blocks would not help */
  async #shrink(refusal: LogRefusal, asked: number): Promise<void> {
    const { db, clock, refused } = this.#parts;
    if (refusal.kind === 'away') throw new TurnEnd(true);
    if (refusal.kind === 'method' || asked === 1) {
      this.#keptSpan = this.#span;
      await upsertTransferEndpoint(db, this.#chainId, this.#span, { at: new Date(clock()), reason: refusal.reason });
      refused(this.#network, refusal.reason);
      throw new TurnEnd(false);
    }
    this.#ceiling = Math.max(1, asked - 1);
    this.#span = Math.max(1, Math.floor(Math.min(asked, this.#span) / 4));
    if (refusal.kind === 'slow') throw new TurnEnd(false);
  }

  async #keep(search: TransferSearchRow, logs: readonly RawLog[]): Promise<void> {
    const { db, clock } = this.#parts;
    const listed = this.#parts.lists.of(this.#chainId);
    const tokens = tokensOf(logs)
      .filter(({ token }) => !listed.has(`0x${token}`))
      .slice(0, MAX_TOKENS);
    const names = tokens.map(({ token }) => token);
    const since = new Date(clock() - READ_AGAIN_MS);
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
 * One turn of the search for tokens that wallets received: whose balances were asked for, their Transfer events are
 * searched, in ranges that the endpoint takes, the newest first. What is found is read by the next request for
 * balances. To be run again and again, in one process at a time.
 *
 * @throws the signal's reason when it ends
 */
export const searchTransfers = async (parts: SearchParts, signal: AbortSignal): Promise<void> => {
  const { db, networks, clock } = parts;
  const chains = new Map(networks.configured.map((network) => [networks.chainId(network), network]));
  const when = { now: new Date(clock()), refusedSince: new Date(clock() - REFUSED_MS) };
  const due = await selectDueSearches(db, [...chains.keys()], when, MAX_SEARCHES);
  const turns = [...chains].map(async ([chainId, network]) => {
    const searches = due.filter((search) => search.chain_id === chainId);
    if (searches.length > 0) await new ChainTurn(parts, network, signal).run(searches);
  });
  await Promise.all(turns);
  signal.throwIfAborted();
};
