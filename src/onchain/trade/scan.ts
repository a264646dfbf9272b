import {
  type Address,
  BaseError,
  type Hex,
  hexToBytes,
  pad,
  RpcRequestError,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem';
import type { Database } from '../../db/database.js';
import { DAY_MS } from '../../duration.js';
import { AppError } from '../../error.js';
import { fromHex } from '../../hex.js';
import {
  deleteTrades,
  type NewTrade,
  replaceTrades,
  type TradeSearchRow,
  upsertTradeSearch,
} from '../../store/onchain/trade.js';
import { type Block, requireBlock } from '../log-search/block.js';
import {
  atMost,
  type BlockRange,
  firstUnsettled,
  indexLogs,
  REFUSED_MS,
  REORG_BLOCKS,
} from '../log-search/log-indexer.js';
import { type ChainLog, LogRange, LogSearchEnded } from '../log-search/log-range.js';
import type { ChainClient, Network } from '../network.js';
import { isTooLarge } from '../rpc/error.js';
import type { TokenMetadata } from '../token/metadata.js';
import { mapInBatches } from '../transaction/preparation.js';
import { TRANSFER } from '../transfer-event.js';
import { addressIn, ENTRY_POINTS, USER_OPERATION } from './net-transfer.js';
import { type Trade, tradeOf } from './trade.js';

const FIRST_SPAN = 500;
const MAX_SPAN = 50_000;
/** Addresses in one request, with room below the 1,000 that geth accepts. */
const ADDRESSES = 500;
/** Ranges of blocks in one round. The rest follows in later rounds. */
const MAX_RANGES = 20;
/** Transactions of one range; a range with more is searched in parts, down to a block. */
const MAX_TRANSACTIONS = 200;
const CONCURRENCY = 10;
/** How far back the first rounds search: the longest window of a request. */
const WINDOW_MS = 7 * DAY_MS;

export interface ScanParts {
  readonly db: Database;
  readonly client: ChainClient;
  readonly network: Network;
  readonly chainId: number;
  readonly tokenMetadata: TokenMetadata;
  /** Accounts by wallet, 40 hex digits. */
  readonly wallets: ReadonlyMap<string, number>;
  /** Unix milliseconds. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Called with a transaction that is left out, because what contracts wrote cannot be read. */
  readonly skipped: (transaction: Hex, error: unknown) => void;
}

const timeOf = ({ time }: Block): Date => new Date(time * 1000);

/** A transaction with transfers of watched wallets. */
interface Candidate {
  readonly block: number;
  readonly wallets: Set<Address>;
  /** Wallets with an operation of ERC-4337 in it. */
  readonly operators: Set<Address>;
}

/** The events of a range: transfers of watched wallets, and their operations of ERC-4337. */
interface Found {
  readonly transfers: readonly ChainLog[];
  readonly operations: readonly ChainLog[];
}

/** The trades of a range, and its block that is the farthest from what was searched before. */
interface Scanned {
  readonly edge: Block;
  readonly rows: readonly NewTrade[];
}

const candidatesIn = ({ transfers, operations }: Found, wallets: ReadonlyMap<string, number>): Map<Hex, Candidate> => {
  const found = new Map<Hex, Candidate>();
  for (const { transaction, block, topics } of transfers) {
    for (const topic of topics.slice(1)) {
      const address = addressIn(topic);
      if (!wallets.has(address.slice(2))) continue;
      const known = found.get(transaction) ?? { block, wallets: new Set(), operators: new Set() };
      known.wallets.add(address);
      found.set(transaction, known);
    }
  }
  for (const { transaction, topics } of operations) found.get(transaction)?.operators.add(addressIn(topics[2]));
  return found;
};

const isMissing = (error: unknown): boolean =>
  error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError;

/** @returns whether the endpoint failed, so that the transaction must be read again */
const isOfEndpoint = (error: unknown): boolean =>
  error instanceof AppError ||
  error instanceof LogSearchEnded ||
  (error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError) !== null);

/**
 * One round of the search for transfers of the watched wallets on a network. What is stored of a range is replaced as a
 * whole, so trades of blocks that were replaced disappear.
 */
class TradeScan {
  readonly #parts: ScanParts;
  readonly #range: LogRange;
  #state: TradeSearchRow;
  /** The newest block that is not read again. */
  #settled = 0;
  /** Whether a transaction of the newest blocks could not be read. */
  #lacksSome = false;

  constructor(parts: ScanParts, state: TradeSearchRow) {
    this.#parts = parts;
    this.#state = state;
    this.#range = new LogRange(parts.client, { span: state.span, maxSpan: MAX_SPAN });
  }

  /** @returns whether nothing is left to search until there is a new block */
  async run(head: Block): Promise<boolean> {
    const { now, signal } = this.#parts;
    this.#settled = head.number - REORG_BLOCKS;
    const { low, high } = this.#state;
    const isAll = await indexLogs<Scanned>({
      ...{ range: this.#range, signal, head: head.number, low },
      from: firstUnsettled(low, high),
      mayGoOn: atMost(MAX_RANGES),
      wantsPast: () => this.#state.lowAt.getTime() > now - WINDOW_MS,
      read: (blocks) => this.#read(blocks),
      store: (found, blocks) => this.#store(found, blocks),
    });
    return isAll && !this.#lacksSome;
  }

  /** Stores what ranges the endpoint accepts, and if it does not support searches, that it is not asked for a day. */
  end({ kind }: LogSearchEnded): Promise<void> {
    return this.#saveProgress({ refusedAt: kind === 'refused' ? new Date(this.#parts.now) : null });
  }

  async #saveProgress(changes: Partial<TradeSearchRow>): Promise<void> {
    this.#state = { ...this.#state, span: this.#range.span, ...changes };
    await upsertTradeSearch(this.#parts.db, this.#state);
  }

  /** @returns undefined if the range was too large */
  async #read({ first, last, isNew }: BlockRange): Promise<Scanned | undefined> {
    const { wallets, client } = this.#parts;
    // A node that lags behind would have no events of it.
    const edge = await requireBlock(client, isNew ? last : first);
    const logs = await this.#logs(first, last);
    if (logs === undefined) return undefined;
    const transactions = [...candidatesIn(logs, wallets)];
    if (transactions.length > MAX_TRANSACTIONS && this.#range.shrink(last - first + 1)) return undefined;
    const found = await mapInBatches(transactions, CONCURRENCY, ([hash, of]) => this.#tradesIn(hash, of));
    const trades = found.flat().filter(({ block }) => block >= first && block <= last);
    const times = new Map<number, Date>();
    for (const block of new Set(trades.map((trade) => trade.block)))
      times.set(block, timeOf(await requireBlock(client, block)));
    // Webhooks announce new ones only.
    return { edge, rows: trades.map((trade) => this.#row(trade, times.get(trade.block) as Date, isNew)) };
  }

  async #store({ edge, rows }: Scanned, { first, last, isNew }: BlockRange): Promise<void> {
    const { db, network } = this.#parts;
    await db.transaction((session) => replaceTrades(session, { network, first, last }, rows));
    const at = timeOf(edge);
    if (!isNew) await this.#saveProgress({ low: edge.number, lowAt: at, lowHash: edge.hash });
    else if (edge.number >= this.#state.high) await this.#saveProgress({ high: edge.number, highAt: at });
  }

  /** @returns undefined if the range was too large */
  async #logs(first: number, last: number): Promise<Found | undefined> {
    const addresses = [...this.#parts.wallets.keys()].map((hex) => pad(`0x${hex}` as Hex, { size: 32 }));
    const transfers: ChainLog[] = [];
    const operations: ChainLog[] = [];
    for (let from = 0; from < addresses.length; from += ADDRESSES) {
      const values = addresses.slice(from, from + ADDRESSES);
      for (const [logs, filter] of [
        [transfers, { event: TRANSFER, at: 1, values }],
        [transfers, { event: TRANSFER, at: 2, values }],
        [operations, { event: USER_OPERATION, at: 2, values, of: ENTRY_POINTS }],
      ] as const) {
        this.#parts.signal.throwIfAborted();
        const part = await this.#range.readTopics(filter, first, last);
        if (part === undefined) return undefined;
        for (const log of part) logs.push(log);
      }
    }
    // ERC-721 has a fourth topic.
    return { transfers: transfers.filter(({ topics }) => topics.length === 3), operations };
  }

  /**
   * Only what a wallet itself started can be its trade, because contracts can emit `Transfer` with any address. The
   * receipt of any other transaction is not read: a stranger may make it as large as he wants.
   */
  async #tradesIn(hash: Hex, { block, wallets, operators }: Candidate): Promise<Trade[]> {
    const { client, signal, skipped } = this.#parts;
    signal.throwIfAborted();
    try {
      const { from, value, input } = await client.getTransaction({ hash });
      const sender = from.toLowerCase();
      const started = [...wallets].filter((wallet) => wallet === sender || operators.has(wallet));
      if (started.length === 0) return [];
      const receipt = await client.getTransactionReceipt({ hash });
      const trades: Trade[] = [];
      for (const wallet of started) {
        const sent = wallet === sender ? { value, input } : undefined;
        const trade = await tradeOf(this.#parts, { receipt, sent }, wallet);
        if (trade) trades.push(trade);
      }
      return trades;
    } catch (error) {
      if (isMissing(error)) {
        // Its block was replaced since the events were read, or this node lags behind: the block is read again.
        if (block > this.#settled) {
          this.#lacksSome = true;
          return [];
        }
        throw new LogSearchEnded('unavailable', `the endpoint does not have the transaction ${hash}`);
      }
      if (isOfEndpoint(error) && !isTooLarge(error)) throw error;
      skipped(hash, error);
      return [];
    }
  }

  #row(trade: Trade, at: Date, isNew: boolean): NewTrade {
    const { wallet, sold, bought, pool, protocol, usd } = trade;
    return {
      network: this.#parts.network,
      txHash: hexToBytes(trade.hash),
      wallet: hexToBytes(wallet),
      fid: this.#parts.wallets.get(wallet.slice(2)) as number,
      block: trade.block,
      blockHash: hexToBytes(trade.blockHash),
      at,
      soldToken: hexToBytes(sold.token),
      boughtToken: hexToBytes(bought.token),
      sold: sold.amount.toString(),
      bought: bought.amount.toString(),
      soldDecimals: sold.decimals,
      boughtDecimals: bought.decimals,
      usd: usd ?? null,
      pool: pool === undefined ? null : fromHex(pool),
      poolFamily: protocol?.family ?? null,
      poolVersion: protocol?.version ?? null,
      isAnnounced: !isNew,
    };
  }
}

/** @returns whether the endpoint has another block where the first searched one was */
const isReplaced = async (client: ChainClient, { low, lowHash }: TradeSearchRow, head: Block): Promise<boolean> =>
  lowHash !== null && low <= head.number && !(await requireBlock(client, low)).hash.equals(lowHash);

/** @returns whether the endpoint has said lately that it does not search events */
export const isSearchRefused = (state: TradeSearchRow | undefined, chainId: number, now: number): boolean =>
  state?.chainId === chainId && state.refusedAt !== null && state.refusedAt.getTime() > now - REFUSED_MS;

/**
 * Runs one round of the search for trades on a network.
 * @param head the newest block
 * @param state of the last round; undefined: the first one, which searches the past
 * @returns whether nothing is left to search until there is a new block
 * @throws LogSearchEnded if the endpoint does not search events, lags behind or does not respond, and the signal's reason
 */
export const scanTrades = async (
  parts: ScanParts,
  head: Block,
  state: TradeSearchRow | undefined,
): Promise<boolean> => {
  const { network, chainId, client, now, db } = parts;
  const isBehind = state !== undefined && state.chainId === chainId && state.high > head.number + REORG_BLOCKS;
  const isOther = isBehind && (await isReplaced(client, state, head));
  if (isBehind && !isOther) throw new LogSearchEnded('unavailable', `the endpoint is behind, at block ${head.number}`);
  const at = timeOf(head);
  const begin = { low: head.number + 1, lowAt: at, lowHash: null, high: head.number, highAt: at };
  const isUsable =
    state !== undefined && state.chainId === chainId && !isOther && state.highAt.getTime() > now - WINDOW_MS;
  // Another chain, one that began anew, or one that was not searched for as long as trades are shown.
  if (state !== undefined && !isUsable) await deleteTrades(db, network);
  const fresh: TradeSearchRow = { network, chainId, ...begin, span: FIRST_SPAN, refusedAt: null };
  const scan = new TradeScan(parts, isUsable ? { ...state, refusedAt: null } : fresh);
  try {
    return await scan.run(head);
  } catch (error) {
    if (error instanceof LogSearchEnded) await scan.end(error);
    throw error;
  }
};
