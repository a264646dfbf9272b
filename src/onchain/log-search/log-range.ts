import { type Address, type Hex, keccak256, numberToHex, stringToBytes } from 'viem';
import type { ChainClient } from '../network.js';
import { logSearchFailureOf } from './log-search-error.js';

/** Which events are searched. */
export interface LogFilter {
  readonly address: readonly Address[];
  /** The event, or one of several. */
  readonly events: readonly Hex[];
}

/** Events with a topic out of many. */
export interface TopicFilter {
  /** The first topic. */
  readonly event: Hex;
  /** Position of the other topic, and the values of which one must be there. */
  readonly at: number;
  readonly values: readonly Hex[];
  /** Contracts, in lower case; absent: any. */
  readonly of?: readonly Address[];
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

/** No event has it. */
const NO_EVENT = keccak256(stringToBytes('castellan'));

/**
 * Ends a search. `refused`: the endpoint does not support it; `slow`: it may work later with the smaller range;
 * `unavailable`: the endpoint does not respond, rejects even a single block, or does not have it.
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
   *   next one is smaller. Addresses with too many events in a single block have none.
   * @throws LogSearchEnded if a smaller range does not help now
   */
  async read({ address, events }: LogFilter, first: number, last: number): Promise<readonly ChainLog[] | undefined> {
    const logs = await this.#search((some) => ({ address: some, topics: [events] }), address, first, last);
    const wanted = new Set<string>(address);
    const known = new Set<string>(events);
    return logs?.filter((log) => known.has(log.topics[0] ?? '') && wanted.has(log.address));
  }

  /**
   * @returns as `read`; values with too many events in a single block have none
   * @throws LogSearchEnded as `read`
   */
  async readTopics(
    { event, at, values, of }: TopicFilter,
    first: number,
    last: number,
  ): Promise<readonly ChainLog[] | undefined> {
    const filter = (some: readonly Hex[]): object => {
      const topics = [[event], ...Array.from({ length: at - 1 }, () => null), some];
      return of ? { address: of, topics } : { topics };
    };
    const logs = await this.#search(filter, values, first, last);
    const [wanted, known] = [new Set<string>(values), of && new Set<string>(of)];
    return logs?.filter(
      ({ address, topics }) => topics[0] === event && wanted.has(topics[at] ?? '') && (known?.has(address) ?? true),
    );
  }

  /**
   * Requests the events of values. A single block with too many of them is requested in parts, and a single value with
   * too many is left out: anybody can emit such events, and must not stop the search.
   */
  async #search(
    filter: (values: readonly Hex[]) => object,
    values: readonly Hex[],
    first: number,
    last: number,
  ): Promise<readonly ChainLog[] | undefined> {
    const answer = await this.#request(filter(values), first, last);
    if (!(answer instanceof LogSearchEnded)) return answer;
    // An endpoint that rejects an empty block of the same kind rejects the search, and not what is in the block.
    const control = await this.#request(
      filter(values.map(() => NO_EVENT.slice(0, values[0]?.length) as Hex)),
      first,
      last,
    );
    if (control instanceof LogSearchEnded) throw control;
    // The block is the reason, and not the size of the range.
    this.#ceiling = this.#maxSpan;
    return this.#halves(filter, values, first);
  }

  async #halves(
    filter: (values: readonly Hex[]) => object,
    values: readonly Hex[],
    block: number,
  ): Promise<ChainLog[]> {
    if (values.length <= 1) return [];
    const middle = Math.ceil(values.length / 2);
    const logs: ChainLog[] = [];
    for (const half of [values.slice(0, middle), values.slice(middle)]) {
      const answer = await this.#request(filter(half), block, block);
      const found = answer instanceof LogSearchEnded ? await this.#halves(filter, half, block) : (answer ?? []);
      for (const log of found) logs.push(log);
    }
    return logs;
  }

  async #request(
    filter: object,
    first: number,
    last: number,
  ): Promise<readonly ChainLog[] | LogSearchEnded | undefined> {
    const answer = await this.readRaw(filter, first, last);
    if (answer === undefined || answer instanceof LogSearchEnded) return answer;
    return answer.flatMap((raw) => {
      const log = parseLog(raw);
      return log && log.block >= first && log.block <= last ? [log] : [];
    });
  }

  /**
   * Requests events as the endpoint sends them.
   * @param filter `address` and `topics` of the request
   * @returns undefined if the range was too large: the next one is smaller; LogSearchEnded `unavailable` if even a single
   *   block was rejected
   * @throws LogSearchEnded if a smaller range does not help now
   */
  async readRaw(filter: object, first: number, last: number): Promise<readonly unknown[] | LogSearchEnded | undefined> {
    const range = { fromBlock: numberToHex(first), toBlock: numberToHex(last), ...filter };
    try {
      const logs: unknown = await this.#client.request({ method: 'eth_getLogs', params: [range as never] });
      return Array.isArray(logs) ? logs : [];
    } catch (error) {
      const { kind, reason } = logSearchFailureOf(error);
      if (kind === 'away') throw new LogSearchEnded('unavailable', reason);
      if (kind === 'method') throw new LogSearchEnded('refused', reason);
      const isSingle = !this.shrink(last - first + 1);
      if (kind === 'slow') throw new LogSearchEnded('slow', reason);
      return isSingle ? new LogSearchEnded('unavailable', reason) : undefined;
    }
  }
}
