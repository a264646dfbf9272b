import { type Address, type Hex, numberToHex } from 'viem';
import type { ChainClient } from '../network.js';
import { logSearchFailureOf } from './log-search-error.js';

/** Which events are searched. */
export interface LogFilter {
  readonly address: readonly Address[];
  /** The event, or one of several. */
  readonly events: readonly Hex[];
}

/** A well-formed event. Addresses and hex digits are in lower case. */
export interface ChainLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  /** Hash of the transaction. */
  readonly transaction: Hex;
  readonly block: number;
  /** Position in the block. */
  readonly logIndex: number;
  /** Unix seconds of the block; undefined if the endpoint does not send it. */
  readonly time: number | undefined;
}

/**
 * Ends a search. `refused`: the endpoint does not support it; `slow`: it may work later with the smaller range;
 * `unavailable`: the endpoint does not respond.
 */
export class LogSearchEnded extends Error {
  constructor(
    readonly kind: 'refused' | 'slow' | 'unavailable',
    /** What the endpoint responded, truncated. */
    readonly reason: string,
  ) {
    super(reason);
  }
}

const isHex = (value: unknown, bytes: number): value is Hex =>
  typeof value === 'string' && value.length === 2 + 2 * bytes && /^0x[0-9a-f]*$/i.test(value);

const numberOf = (value: unknown): number | undefined => {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(value)) return undefined;
  return Number(value);
};

const lower = (hex: Hex): Hex => hex.toLowerCase() as Hex;

const parseLog = (raw: unknown): ChainLog | undefined => {
  const one = (raw ?? {}) as Record<string, unknown>;
  const { address, topics, transactionHash, blockNumber, logIndex, blockTimestamp, removed } = one;
  const [block, index] = [numberOf(blockNumber), numberOf(logIndex)];
  if (
    removed === true ||
    !isHex(address, 20) ||
    !isHex(transactionHash, 32) ||
    block === undefined ||
    index === undefined
  )
    return undefined;
  if (!Array.isArray(topics) || !topics.every((topic) => isHex(topic, 32))) return undefined;
  const time = numberOf(blockTimestamp);
  return {
    address: lower(address),
    topics: topics.map((topic: Hex) => lower(topic)),
    transaction: lower(transactionHash),
    block,
    logIndex: index,
    time,
  };
};

/** Searches events in ranges of blocks whose size adapts to what the endpoint accepts. */
export class LogRange {
  readonly #client: ChainClient;
  readonly #maxSpan: number;
  #span: number;
  /** The largest range that the endpoint may accept. */
  #ceiling: number;

  /** @param span blocks of the first range, as an earlier search left it */
  constructor(client: ChainClient, { span, maxSpan }: { readonly span: number; readonly maxSpan: number }) {
    this.#client = client;
    this.#maxSpan = maxSpan;
    this.#ceiling = maxSpan;
    this.#span = Math.min(span, maxSpan);
  }

  /** Blocks of the next range. */
  get span(): number {
    return this.#span;
  }

  /** Makes the next range larger, after one of full size was searched. */
  grow(): void {
    this.#span = Math.min(this.#ceiling, this.#maxSpan, this.#span * 2);
  }

  /** Makes the next range smaller. @returns false for a single block */
  shrink(requested: number): boolean {
    if (requested <= 1) return false;
    this.#ceiling = requested - 1;
    this.#span = Math.max(1, Math.floor(Math.min(requested, this.#span) / 4));
    return true;
  }

  /**
   * @param first the first block of the range, `last` the last one
   * @returns the well-formed events of these addresses, in no certain order; undefined if the range was too large: the
   *   next one is smaller
   * @throws LogSearchEnded if a smaller range does not help now
   */
  async read({ address, events }: LogFilter, first: number, last: number): Promise<readonly ChainLog[] | undefined> {
    const logs = await this.#request({ address, topics: [events] }, first, last);
    const wanted = new Set<string>(address);
    const known = new Set<string>(events);
    return logs?.filter((log) => known.has(log.topics[0] ?? '') && wanted.has(log.address));
  }

  /**
   * @param topics for each position the values of which one must match; null: any
   * @returns as `read`, the events of any contract
   * @throws LogSearchEnded as `read`
   */
  async readTopics(
    topics: readonly (readonly Hex[] | null)[],
    first: number,
    last: number,
  ): Promise<readonly ChainLog[] | undefined> {
    const logs = await this.#request({ topics }, first, last);
    const wanted = topics.map((values) => values && new Set<string>(values));
    return logs?.filter((log) => wanted.every((values, at) => values === null || values.has(log.topics[at] ?? '')));
  }

  async #request(filter: object, first: number, last: number): Promise<readonly ChainLog[] | undefined> {
    const range = { fromBlock: numberToHex(first), toBlock: numberToHex(last), ...filter };
    let logs: unknown;
    try {
      logs = await this.#client.request({ method: 'eth_getLogs', params: [range as never] });
    } catch (error) {
      const { kind, reason } = logSearchFailureOf(error);
      if (kind === 'away') throw new LogSearchEnded('unavailable', reason);
      if (kind === 'method' || !this.shrink(last - first + 1)) throw new LogSearchEnded('refused', reason);
      if (kind === 'slow') throw new LogSearchEnded('slow', reason);
      return undefined;
    }
    return (Array.isArray(logs) ? logs : []).flatMap((raw) => {
      const log = parseLog(raw);
      return log && log.block >= first && log.block <= last ? [log] : [];
    });
  }
}
