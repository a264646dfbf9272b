/** The live stream's word on the messages of one account, while that account is compared with the hub. */
export interface LiveWatch {
  /** True when the stream said last that the hub has this message. */
  hasMerged(hash: Uint8Array): boolean;
  /** True when the stream said last that the hub took this message away. */
  hasRemoved(hash: Uint8Array): boolean;
  /** @returns the bytes of all messages of which the stream said last that the hub took them away. */
  takenAway(): Uint8Array[];
  end(): void;
}

/** Stands in place of an account to watch all of them. */
export const ANYONE = 0;

/** @returns a string that is the same for equal bytes, and shorter in memory than hex. */
export const hashKey = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');

/** The last word on each message: the bytes of a removed one. */
type Said = Map<string, Uint8Array | typeof MERGED>;

const MERGED = 'merged';

/**
 * Lets a comparison of an account run beside the live stream. A listing of the hub is a moment in the past by the time
 * it is acted on: what the stream said of a message meanwhile is newer and wins.
 */
export class LiveMarks {
  private readonly watches = new Map<number, Set<Said>>();

  /** Begins to keep what the stream says of an account, or of {@link ANYONE}. */
  watch(fid: number): LiveWatch {
    const said: Said = new Map();
    const all = this.watches.get(fid) ?? new Set();
    this.watches.set(fid, all.add(said));
    return {
      hasMerged: (hash) => said.get(hashKey(hash)) === MERGED,
      hasRemoved: (hash) => (said.get(hashKey(hash)) ?? MERGED) !== MERGED,
      takenAway: () => [...said.values()].filter((word) => word !== MERGED),
      end: () => {
        all.delete(said);
        if (all.size === 0) this.watches.delete(fid);
      },
    };
  }

  /** The stream says that the hub has a message. Call it before the message is submitted. */
  merged(fid: number, hash: Uint8Array): void {
    this.say(fid, hash, MERGED);
  }

  /** The stream says that the hub took a message away. Call it before the removal is submitted. */
  removed(fid: number, hash: Uint8Array, wire: Uint8Array): void {
    this.say(fid, hash, wire);
  }

  /** True while no account is watched. */
  get idle(): boolean {
    return this.watches.size === 0;
  }

  private say(fid: number, hash: Uint8Array, word: Uint8Array | typeof MERGED): void {
    const key = hashKey(hash);
    for (const about of [fid, ANYONE]) for (const said of this.watches.get(about) ?? []) said.set(key, word);
  }
}

const shared = new WeakMap<object, LiveMarks>();

/** @returns the marks that all readers and loads share who store through one pipeline, which is `ingest`. */
export const liveMarksOf = (ingest: object): LiveMarks => {
  const marks = shared.get(ingest) ?? new LiveMarks();
  shared.set(ingest, marks);
  return marks;
};
