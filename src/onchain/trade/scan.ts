import {
  type Address,
  BaseError,
  BlockNotFoundError,
  type Hex,
  hexToBytes,
  pad,
  RpcRequestError,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem';
import type { Database } from '../../db/database.js';
import { AppError } from '../../error.js';
import { fromHex } from '../../hex.js';
import {
  deleteTrades,
  type NewTrade,
  replaceTrades,
  type TradeSearchRow,
  upsertTradeSearch,
} from '../../store/onchain/trade.js';
import type { ChainClient, Network } from '../network.js';
import { isTooLarge } from '../rpc/error.js';
import { type ChainLog, LogRange, LogSearchEnded } from '../rpc/log-range.js';
import type { TokenMetadata } from '../token/metadata.js';
import { mapInBatches } from '../transaction/preparation.js';
import { addressIn, ENTRY_POINTS, TRANSFER, USER_OPERATION } from './net-transfer.js';
import { type Trade, tradeOf } from './trade.js';

/** A searched block may still be replaced in a reorganization. */
const REORG_BLOCKS = 32;
const FIRST_SPAN = 500;
const MAX_SPAN = 50_000;
/** Addresses in one request, with room below the 1,000 that geth accepts. */
const ADDRESSES = 500;
/** Ranges of blocks in one round. The rest follows in later rounds. */
const MAX_RANGES = 20;
/** Transactions of one range; a range with more is searched in parts, down to a block. */
const MAX_TRANSACTIONS = 200;
const CONCURRENCY = 10;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How far back the first rounds search: the longest window of a request. */
const WINDOW_MS = 7 * DAY_MS;
const REFUSED_MS = DAY_MS;

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

interface Block {
  readonly number: number;
  readonly at: Date;
  readonly hash: Hex;
}

/** @throws LogSearchEnded if the endpoint does not have it */
const readBlock = async (client: ChainClient, number?: number): Promise<Block> => {
  try {
    const block = await client.getBlock(number === undefined ? {} : { blockNumber: BigInt(number) });
    return { number: Number(block.number), at: new Date(Number(block.timestamp) * 1000), hash: block.hash };
  } catch (error) {
    if (!(error instanceof BlockNotFoundError)) throw error;
    throw new LogSearchEnded('unavailable', `the endpoint does not have block ${number ?? 'latest'}`);
  }
};

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
 * One round of one network: searches the transfers of the watched wallets in new blocks, and again in the last 32, then
 * in past ones, in as large ranges as the endpoint accepts. What is stored of a range is replaced as a whole, so trades
 * of blocks that were replaced disappear.
 */
class TradeScan {
  readonly #parts: ScanParts;
  readonly #range: LogRange;
  #state: TradeSearchRow;
  #ranges = 0;
  /** The newest block that is not read again. */
  #settled = 0;

  constructor(parts: ScanParts, state: TradeSearchRow) {
    this.#parts = parts;
    this.#state = state;
    this.#range = new LogRange(parts.client, { span: state.span, maxSpan: MAX_SPAN });
  }

  async run(head: Block): Promise<void> {
    const { now, client } = this.#parts;
    this.#settled = head.number - REORG_BLOCKS;
    let from = Math.max(this.#state.low, this.#state.high - REORG_BLOCKS + 1);
    while (from <= head.number && this.#mayGoOn()) {
      const last = Math.min(head.number, from + this.#range.span - 1);
      // A node that lags behind would have no events of it.
      const high = await readBlock(client, last);
      if (!(await this.#search(from, last, true))) continue;
      from = last + 1;
      if (high.number >= this.#state.high) await this.#keep({ high: high.number, highAt: high.at });
    }
    while (this.#state.low > 0 && this.#state.lowAt.getTime() > now - WINDOW_MS && this.#mayGoOn()) {
      const first = Math.max(0, this.#state.low - this.#range.span);
      const low = await readBlock(client, first);
      if (!(await this.#search(first, this.#state.low - 1, false))) continue;
      await this.#keep({ low: low.number, lowAt: low.at, lowHash: Buffer.from(hexToBytes(low.hash)) });
    }
  }

  /** Stores what ranges the endpoint accepts, and if it does not support searches, that it is not asked for a day. */
  end({ kind }: LogSearchEnded): Promise<void> {
    return this.#keep({ refusedAt: kind === 'refused' ? new Date(this.#parts.now) : null });
  }

  #mayGoOn(): boolean {
    this.#parts.signal.throwIfAborted();
    this.#ranges += 1;
    return this.#ranges <= MAX_RANGES;
  }

  async #keep(changes: Partial<TradeSearchRow>): Promise<void> {
    this.#state = { ...this.#state, span: this.#range.span, ...changes };
    await upsertTradeSearch(this.#parts.db, this.#state);
  }

  /**
   * Stores the trades of a range.
   * @param isNew whether webhooks are told of them
   * @returns false if the range was too large
   */
  async #search(first: number, last: number, isNew: boolean): Promise<boolean> {
    const { db, network, wallets, client } = this.#parts;
    const span = last - first + 1;
    const logs = await this.#logs(first, last);
    if (logs === undefined) return false;
    const transactions = [...candidatesIn(logs, wallets)];
    if (transactions.length > MAX_TRANSACTIONS && this.#range.shrink(span)) return false;
    const found = await mapInBatches(transactions, CONCURRENCY, ([hash, of]) => this.#tradesIn(hash, of));
    const trades = found.flat().filter(({ block }) => block >= first && block <= last);
    const times = new Map<number, Date>();
    for (const block of new Set(trades.map((trade) => trade.block)))
      times.set(block, (await readBlock(client, block)).at);
    const rows = trades.map((trade) => this.#row(trade, times.get(trade.block) as Date, isNew));
    this.#parts.signal.throwIfAborted();
    await db.transaction((session) => replaceTrades(session, { network, first, last }, rows));
    if (span >= this.#range.span) this.#range.grow();
    return true;
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
        if (block > this.#settled) return [];
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
  lowHash !== null && low <= head.number && !fromHex((await readBlock(client, low)).hash).equals(lowHash);

/**
 * Runs one round of the search for trades on a network.
 * @param state of the last round; undefined: the first one, which searches the past
 * @throws LogSearchEnded if the endpoint does not search events, lags behind or does not respond, and the signal's reason
 */
export const scanTrades = async (parts: ScanParts, state: TradeSearchRow | undefined): Promise<void> => {
  const { network, chainId, client, now, db } = parts;
  if (state?.refusedAt && state.refusedAt.getTime() > now - REFUSED_MS && state.chainId === chainId) return;
  const head = await readBlock(client);
  const isBehind = state !== undefined && state.chainId === chainId && state.high > head.number + REORG_BLOCKS;
  const isOther = isBehind && (await isReplaced(client, state, head));
  if (isBehind && !isOther) throw new LogSearchEnded('unavailable', `the endpoint is behind, at block ${head.number}`);
  const begin = { low: head.number + 1, lowAt: head.at, lowHash: null, high: head.number, highAt: head.at };
  const isUsable =
    state !== undefined && state.chainId === chainId && !isOther && state.highAt.getTime() > now - WINDOW_MS;
  // Another chain, one that began anew, or one that was not searched for as long as trades are shown.
  if (state !== undefined && !isUsable) await deleteTrades(db, network);
  const fresh: TradeSearchRow = { network, chainId, ...begin, span: FIRST_SPAN, refusedAt: null };
  const scan = new TradeScan(parts, isUsable ? { ...state, refusedAt: null } : fresh);
  try {
    await scan.run(head);
  } catch (error) {
    if (error instanceof LogSearchEnded) await scan.end(error);
    throw error;
  }
};
