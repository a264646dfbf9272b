import { type Address, type Hex, hexToBytes, pad, type TransactionReceipt } from 'viem';
import type { Database } from '../../db/database.js';
import { fromHex } from '../../hex.js';
import {
  deleteTradesBefore,
  type NewTrade,
  replaceTrades,
  type TradeSearchRow,
  upsertTradeSearch,
} from '../../store/onchain/trade.js';
import type { ChainClient, Network } from '../network.js';
import { type ChainLog, LogRange, LogSearchEnded } from '../rpc/log-range.js';
import type { TokenMetadata } from '../token/metadata.js';
import { mapInBatches } from '../transaction/preparation.js';
import { addressIn, TRANSFER } from './net-transfer.js';
import { type Trade, tradeOf } from './trade.js';

/** A searched block may still be replaced in a reorganization. */
const REORG_BLOCKS = 32;
const FIRST_SPAN = 500;
const MAX_SPAN = 50_000;
/** Addresses in one request, with room below the 1,000 that geth accepts. */
const ADDRESSES = 500;
/** Ranges of blocks in one round. The rest follows in later rounds. */
const MAX_RANGES = 20;
/** Transactions of one range; a range with more is searched in parts. */
const MAX_TRANSACTIONS = 200;
const CONCURRENCY = 10;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How far back the first rounds search: the longest window of a request. */
const WINDOW_MS = 7 * DAY_MS;
const KEPT_MS = 8 * DAY_MS;
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
}

interface Block {
  readonly number: number;
  readonly at: Date;
}

/** @returns the watched wallets of each transaction */
const walletsOf = (logs: readonly ChainLog[], wallets: ReadonlyMap<string, number>): Map<Hex, Set<Address>> => {
  const found = new Map<Hex, Set<Address>>();
  for (const { transaction, topics } of logs) {
    for (const topic of topics.slice(1)) {
      const address = addressIn(topic);
      if (!wallets.has(address.slice(2))) continue;
      const known = found.get(transaction);
      if (known) known.add(address);
      else found.set(transaction, new Set([address]));
    }
  }
  return found;
};

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

  constructor(parts: ScanParts, state: TradeSearchRow) {
    this.#parts = parts;
    this.#state = state;
    this.#range = new LogRange(parts.client, { span: state.span, maxSpan: MAX_SPAN });
  }

  async run(head: Block): Promise<void> {
    const { db, network, now } = this.#parts;
    let from = Math.max(this.#state.low, this.#state.high - REORG_BLOCKS + 1);
    while (from <= head.number && this.#mayGoOn()) {
      const last = Math.min(head.number, from + this.#range.span - 1);
      if (!(await this.#search(from, last, true))) continue;
      from = last + 1;
      const high = last === head.number ? head : await this.#block(last);
      if (high.number >= this.#state.high) await this.#keep({ high: high.number, highAt: high.at });
    }
    while (this.#state.low > 0 && this.#state.lowAt.getTime() > now - WINDOW_MS && this.#mayGoOn()) {
      const first = Math.max(0, this.#state.low - this.#range.span);
      if (!(await this.#search(first, this.#state.low - 1, false))) continue;
      const { number, at } = await this.#block(first);
      await this.#keep({ low: number, lowAt: at });
    }
    await deleteTradesBefore(db, network, new Date(now - KEPT_MS));
  }

  /** Stores that the endpoint does not support searches, so that it is not asked again for a day. */
  refuse(): Promise<void> {
    return this.#keep({ refusedAt: new Date(this.#parts.now) });
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

  async #block(number: number): Promise<Block> {
    const { timestamp } = await this.#parts.client.getBlock({ blockNumber: BigInt(number) });
    return { number, at: new Date(Number(timestamp) * 1000) };
  }

  /**
   * Stores the trades of a range.
   * @param isNew whether webhooks are told of them
   * @returns false if the range was too large
   */
  async #search(first: number, last: number, isNew: boolean): Promise<boolean> {
    const { db, network, wallets } = this.#parts;
    const span = last - first + 1;
    const logs = await this.#logs(first, last);
    if (logs === undefined) return false;
    const transactions = [...walletsOf(logs, wallets)];
    if (transactions.length > MAX_TRANSACTIONS && this.#range.shrink(span)) return false;
    const found = await mapInBatches(transactions.slice(0, MAX_TRANSACTIONS), CONCURRENCY, ([hash, of]) =>
      this.#tradesIn(hash, of),
    );
    this.#parts.signal.throwIfAborted();
    const trades = found.flat().filter(({ block }) => block >= first && block <= last);
    const times = new Map<number, Date>();
    for (const block of new Set(trades.map((trade) => trade.block))) times.set(block, (await this.#block(block)).at);
    const rows = trades.map((trade) => this.#row(trade, times.get(trade.block) as Date, isNew));
    await db.transaction((session) => replaceTrades(session, { network, first, last }, rows));
    if (span >= this.#range.span) this.#range.grow();
    return true;
  }

  /** @returns the transfers of all watched wallets; undefined if the range was too large */
  async #logs(first: number, last: number): Promise<ChainLog[] | undefined> {
    const addresses = [...this.#parts.wallets.keys()].map((hex) => pad(`0x${hex}` as Hex, { size: 32 }));
    const logs: ChainLog[] = [];
    for (let at = 0; at < addresses.length; at += ADDRESSES) {
      const some = addresses.slice(at, at + ADDRESSES);
      for (const topics of [
        [[TRANSFER], some],
        [[TRANSFER], null, some],
      ]) {
        this.#parts.signal.throwIfAborted();
        const part = await this.#range.readTopics(topics, first, last);
        if (part === undefined) return undefined;
        // ERC-721 has a fourth topic.
        for (const log of part) if (log.topics.length === 3) logs.push(log);
      }
    }
    return logs;
  }

  async #tradesIn(hash: Hex, wallets: ReadonlySet<Address>): Promise<Trade[]> {
    const { client } = this.#parts;
    let receipt: TransactionReceipt;
    try {
      receipt = await client.getTransactionReceipt({ hash });
    } catch (error) {
      // Its block was replaced since the events were read.
      if ((error as Error).name === 'TransactionReceiptNotFoundError') return [];
      throw error;
    }
    const trades: Trade[] = [];
    for (const wallet of wallets) {
      const trade = await tradeOf(this.#parts, receipt, wallet);
      if (trade) trades.push(trade);
    }
    return trades;
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

/**
 * Runs one round of the search for trades on a network.
 * @param state of the last round; undefined: the first one, which searches the past
 * @throws LogSearchEnded if the endpoint does not search events or does not respond, and the signal's reason
 */
export const scanTrades = async (parts: ScanParts, state: TradeSearchRow | undefined): Promise<void> => {
  const { network, chainId, client, now, db } = parts;
  if (state?.refusedAt && state.refusedAt.getTime() > now - REFUSED_MS && state.chainId === chainId) return;
  const { number, timestamp } = await client.getBlock();
  const head: Block = { number: Number(number), at: new Date(Number(timestamp) * 1000) };
  const begin = { low: head.number + 1, lowAt: head.at, high: head.number, highAt: head.at };
  const isUsable =
    state !== undefined &&
    state.chainId === chainId &&
    state.high <= head.number + REORG_BLOCKS &&
    state.highAt.getTime() > now - WINDOW_MS;
  // Another chain, one that began anew, or one that was not searched for as long as trades are shown.
  if (state !== undefined && !isUsable) await deleteTradesBefore(db, network, new Date(8.64e15));
  const fresh: TradeSearchRow = { network, chainId, ...begin, span: FIRST_SPAN, refusedAt: null };
  const scan = new TradeScan(parts, isUsable ? { ...state, refusedAt: null } : fresh);
  try {
    await scan.run(head);
  } catch (error) {
    if (error instanceof LogSearchEnded && error.kind === 'refused') await scan.refuse();
    throw error;
  }
};
