/** Records what the live stream merged or removed for an account while that account is synced. */
export interface LiveEventWatch {
  /** True if the last event of this message was its merge. */
  hasMerged(hash: Uint8Array): boolean;
  /** True if the last event of this message was its removal. */
  hasRemoved(hash: Uint8Array): boolean;
  /** @returns the wire bytes of all messages whose last event was their removal */
  removedMessages(): Uint8Array[];
  end(): void;
}

/** Watches all accounts instead of one. */
export const ALL_ACCOUNTS = 0;

/** @returns a string that identifies the bytes and takes less memory than hex */
export const hashKey = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');

/** Last event of each message: the wire bytes of a removed one. */
type LatestEvents = Map<string, Uint8Array | typeof MERGED>;

const MERGED = 'merged';

/**
 * Allows a sync of an account while the live stream runs. A listing of the hub is in the past when it is applied, so
 * events received in between are newer and take precedence.
 */
export class LiveEventLog {
  readonly #watches = new Map<number, Set<LatestEvents>>();

  /** Starts to record the events of an account, or of {@link ALL_ACCOUNTS}. */
  watch(fid: number): LiveEventWatch {
    const latest: LatestEvents = new Map();
    const all = this.#watches.get(fid) ?? new Set();
    this.#watches.set(fid, all.add(latest));
    return {
      hasMerged: (hash) => latest.get(hashKey(hash)) === MERGED,
      hasRemoved: (hash) => (latest.get(hashKey(hash)) ?? MERGED) !== MERGED,
      removedMessages: () => [...latest.values()].filter((event) => event !== MERGED),
      end: () => {
        all.delete(latest);
        if (all.size === 0) this.#watches.delete(fid);
      },
    };
  }

  /** Records a merge. Call it before the message is submitted. */
  merged(fid: number, hash: Uint8Array): void {
    this.#record(fid, hash, MERGED);
  }

  /** Records a removal. Call it before the removal is submitted. */
  removed(fid: number, hash: Uint8Array, wire: Uint8Array): void {
    this.#record(fid, hash, wire);
  }

  /** True if no account is watched. */
  get idle(): boolean {
    return this.#watches.size === 0;
  }

  #record(fid: number, hash: Uint8Array, event: Uint8Array | typeof MERGED): void {
    const key = hashKey(hash);
    for (const watched of [fid, ALL_ACCOUNTS])
      for (const latest of this.#watches.get(watched) ?? []) latest.set(key, event);
  }
}

const shared = new WeakMap<object, LiveEventLog>();

/** @returns the log shared by all readers and loads that store through the same `ingest` */
export const liveEventLogOf = (ingest: object): LiveEventLog => {
  const log = shared.get(ingest) ?? new LiveEventLog();
  shared.set(ingest, log);
  return log;
};
