import { MessageType } from '@farcaster/core';
import type { IngestOutcome, InvalidOutcome, StoredBatch } from '../ingest-outcome.js';
import type { IngestItem } from '../item.js';
import { readMessageHead } from '../wire.js';
import { ItemSet } from './item-set.js';
import { type FileEntry, readFileItems } from './read.js';

/** Items verified and stored together. */
const BATCH_SIZE = 5_000;

/** Reasons for which an item may be rejected until a later item of the files is stored. */
const WAITING = new Set<InvalidOutcome['reason']>(['unknown_signer', 'bad_key', 'unknown_name', 'unverified_address']);

/** Messages on which others depend; so do all onchain events and proofs of names. */
const BASES = new Set<number>([MessageType.KEY_ADD, MessageType.VERIFICATION_ADD_ETH_ADDRESS]);

export interface FileImport {
  /** Stores a batch in order, whatever the state of the database. */
  readonly store: (items: readonly IngestItem[]) => Promise<StoredBatch>;
  readonly files: readonly string[];
  /** Whether each file can be read again; pipes cannot. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal;
  readonly onFault: (file: string, fault: Extract<FileEntry, { ok: false }>) => void;
  /** @param bytes read of this file so far, in a pass over the files; the first pass is 1 */
  readonly onProgress: (file: number, bytes: number, pass: number) => void;
}

export interface FileReport {
  /** Number of items by outcome other than `invalid`. */
  readonly outcomes: ReadonlyMap<IngestOutcome['status'], number>;
  /** Items that are invalid, by reason. */
  readonly invalid: ReadonlyMap<string, number>;
  /** Number of items stored as refused. */
  readonly refused: number;
}

/**
 * Stores the items of files, which may be in any order: what was rejected because an account, a key, a name or a
 * verification was missing is read and tried again, until nothing more is accepted.
 * @throws the reason of the signal when it is aborted, and what `store` throws
 */
export const importFiles = async (request: FileImport): Promise<FileReport> => {
  const run = new ImportRun(request);
  await run.pass();
  while (request.isRepeatable && run.isRepetitionDue()) await run.pass();
  return run.report();
};

const increment = <Key>(counts: Map<Key, number>, key: Key): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

class ImportRun {
  readonly #request: FileImport;
  #passes = 0;
  /** Items that may be accepted later. */
  readonly #waiting = new ItemSet();
  /** Stored user data that later items may have removed: its name moved, or its verification was removed. */
  readonly #removable = new ItemSet();
  /** Whether items were stored that may change the outcome of earlier ones. */
  #hasProgress = false;
  #refused = 0;
  readonly #outcomes = new Map<IngestOutcome['status'], number>();
  readonly #invalid = new Map<string, number>();
  #invalidNow = new Map<string, number>();

  constructor(request: FileImport) {
    this.#request = request;
  }

  isRepetitionDue(): boolean {
    return this.#waiting.size + this.#removable.size > 0 && this.#hasProgress;
  }

  /** Reads the files once: in the first pass all items, later only those whose outcome may change. */
  async pass(): Promise<void> {
    const { files, signal, onFault, onProgress } = this.#request;
    const isFirst = ++this.#passes === 1;
    this.#hasProgress = false;
    this.#invalidNow = new Map();
    const batches = new BatchSubmitter((items) => this.#store(items));
    let place = 0;
    for (const [index, file] of files.entries()) {
      for await (const entry of readFileItems(file)) {
        signal.throwIfAborted();
        if (!entry.ok) {
          if (isFirst) onFault(file, entry);
          if (isFirst) increment(this.#invalid, entry.reason);
          continue;
        }
        const placed = { place: place++, item: entry.item };
        if (!isFirst && !this.#waiting.has(placed.place) && !this.#removable.has(placed.place)) continue;
        if (!batches.add(placed)) continue;
        await batches.submit();
        onProgress(index, entry.bytes, this.#passes);
      }
    }
    await batches.finish();
  }

  report(): FileReport {
    const invalid = new Map(this.#invalid);
    for (const [reason, count] of this.#invalidNow) invalid.set(reason, (invalid.get(reason) ?? 0) + count);
    return { outcomes: this.#outcomes, invalid, refused: this.#refused };
  }

  async #store(placed: readonly PlacedItem[]): Promise<void> {
    const { outcomes, refused } = await this.#request.store(placed.map(({ item }) => item));
    this.#refused += refused;
    // Those of this batch were stored before what depends on them.
    if (this.#passes === 1)
      this.#hasProgress ||= placed.some(({ item }, index) => this.#changesEarlier(item, outcomes[index]));
    for (const [index, one] of placed.entries()) this.#take(one, outcomes[index]);
  }

  #changesEarlier(item: IngestItem, outcome: IngestOutcome | undefined): boolean {
    if (outcome?.status !== 'merged') return false;
    const type = typeOf(item);
    const isBasis = item.kind !== 'message' || (type !== undefined && BASES.has(type));
    const isRemoval = item.kind === 'proof' || type === MessageType.VERIFICATION_REMOVE;
    return (isBasis && this.#waiting.size > 0) || (isRemoval && this.#removable.size > 0);
  }

  #take({ place, item }: PlacedItem, outcome: IngestOutcome | undefined): void {
    if (this.#passes > 1 && outcome?.status === 'merged') this.#hasProgress = true;
    // User data that was counted as stored and may have been removed since.
    if (this.#passes > 1 && !this.#waiting.has(place)) return;
    if (outcome?.status === 'invalid' && WAITING.has(outcome.reason)) {
      this.#waiting.add(place);
      increment(this.#invalidNow, outcome.reason);
      return;
    }
    this.#waiting.delete(place);
    if (typeOf(item) === MessageType.USER_DATA_ADD) this.#removable.add(place);
    if (outcome === undefined) return;
    if (outcome.status === 'invalid') increment(this.#invalid, outcome.reason);
    else increment(this.#outcomes, outcome.status);
  }
}

const typeOf = (item: IngestItem): number | undefined =>
  item.kind === 'message' ? readMessageHead(item.wire)?.type : undefined;

interface PlacedItem {
  readonly item: IngestItem;
  /** Number of the item in all files, from 0. */
  readonly place: number;
}

/** Collects items and stores them in batches; the next batch is read while one is being stored. */
class BatchSubmitter {
  readonly #store: (items: readonly PlacedItem[]) => Promise<void>;
  #items: PlacedItem[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(store: (items: readonly PlacedItem[]) => Promise<void>) {
    this.#store = store;
  }

  /** @returns whether the batch is full */
  add(item: PlacedItem): boolean {
    return this.#items.push(item) >= BATCH_SIZE;
  }

  /** Resolves when the previous batch is stored. @throws the error of the previous batch */
  async submit(): Promise<void> {
    const items = this.#items;
    this.#items = [];
    await this.#running;
    this.#running = items.length === 0 ? Promise.resolve() : this.#store(items);
    // It is awaited with the next batch; until then an error must not count as unhandled.
    this.#running.catch(() => undefined);
  }

  async finish(): Promise<void> {
    await this.submit();
    await this.#running;
  }
}
