import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { HubAddress } from '../config/config.js';
import { reopenSyncs, selectOpenSyncs } from '../store/backfill.js';
import type { Database } from '../store/database.js';
import type { FidFilter } from './fid-filter.js';
import type { SyncParts } from './hub-absent.js';
import { runSync } from './hub-backfill.js';
import { HubClient } from './hub/client.js';
import { HubIntake } from './hub/event-handler.js';
import { Introductions } from './hub-introduction.js';
import { liveMarksOf } from './hub-live-mark.js';
import type { HubMeter } from './hub/meter.js';
import { backoff, pause, untilDatabaseAnswers } from './hub/retry.js';
import { admitStrangers, discoverShards, openSequence, syncShardsOf } from './hub-shard.js';
import { ShardStream } from './hub/stream.js';
import type { Ingest } from './pipeline.js';

/** Snapchain makes a block a second and confirms each by an event: half a minute without one is a dead connection. */
const STALL_AFTER = 30_000;
/** Milliseconds until the database is asked again for accounts to compare, and at most when the hub refuses some. */
const SYNC_PAUSE = 60_000;
const LONGEST_SYNC_PAUSE = 3_600_000;

export interface HubSource {
  readonly address: HubAddress;
  readonly db: Database;
  readonly ingest: Ingest;
  readonly log: Logger;
  /** Partial mode; the same filter's `accepts` must be the pipeline's `isIndexed`. */
  readonly filter?: FidFilter;
}

export interface HubReaderOptions extends HubSource {
  readonly meter: HubMeter;
  /** Milliseconds without an event after which a stream is opened anew; 30,000 when absent. */
  readonly stallAfter?: number;
}

/** How ingest from the hub stands. */
export interface HubState {
  /** True when the streams of all shards are open. */
  readonly connected: boolean;
  /** Seconds that the store lies behind the hub, of the shard furthest behind; undefined before any event. */
  readonly lagSeconds: number | undefined;
  /** When the newest event arrived, Unix milliseconds; undefined before any event. */
  readonly lastEventAt: number | undefined;
  /** Accounts of the comparison that is under way. */
  readonly backfill: { readonly done: number; readonly total: number } | undefined;
}

/** @returns what reading from a hub works with; whoever asks closes the client. */
export const hubParts = ({ address, db, ingest, log, filter }: HubSource, signal: AbortSignal): SyncParts => {
  setMaxListeners(0, signal);
  const parts = { client: new HubClient(address, signal), db, ingest, log, signal, ...(filter ? { filter } : {}) };
  return { ...parts, introductions: new Introductions(parts), marks: liveMarksOf(ingest) };
};

/**
 * Follows a hub: the events of all its shards from the stored positions on, and the comparison of accounts where nothing
 * was stored or events were missed. It begins at once and waits for a hub or database that is away.
 */
export class HubReader {
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;
  private streams: ShardStream[] = [];
  private progress: HubState['backfill'];
  private syncWanted = new AbortController();

  constructor(private readonly options: HubReaderOptions) {
    this.running = this.run();
  }

  state(): HubState {
    const lags = this.streams.flatMap((stream) => stream.lagSeconds ?? []);
    const arrivals = this.streams.map((stream) => stream.lastEventAt).filter((at) => at > 0);
    return {
      connected: this.streams.length > 0 && this.streams.every((stream) => stream.connected),
      lagSeconds: lags.length > 0 ? Math.max(...lags) : undefined,
      lastEventAt: arrivals.length > 0 ? Math.max(...arrivals) : undefined,
      backfill: this.progress,
    };
  }

  /** Resolves when nothing is read any more; what was read and not stored comes again at the next start. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    for (let failures = 0; !signal.aborted; failures++) {
      const round = new AbortController();
      const parts = hubParts(this.options, AbortSignal.any([signal, round.signal]));
      const tasks: Promise<unknown>[] = [];
      try {
        await this.begin(parts, tasks);
        await Promise.all(tasks);
      } catch (error) {
        if (!signal.aborted) this.options.log.error({ err: error }, 'reading from the hub failed; beginning again');
      } finally {
        round.abort();
        await Promise.allSettled(tasks);
        this.streams = [];
        parts.client.close();
      }
      await pause(backoff(failures), signal);
    }
  }

  private async begin(parts: SyncParts, tasks: Promise<unknown>[]): Promise<void> {
    const { meter, stallAfter = STALL_AFTER } = this.options;
    const shards = await discoverShards(parts);
    const accounts = syncShardsOf(parts, shards);
    await admitStrangers(parts);
    const intake = new HubIntake(parts, parts.introductions, parts.marks);
    const onGap = () => this.syncWanted.abort();
    // Positions first, for all shards: accounts are requested before any is compared.
    for (const shard of shards) {
      const first = await openSequence(parts, shard);
      const sequences = [first];
      const next = async () => sequences.pop() ?? openSequence(parts, shard);
      const stream = new ShardStream({ ...parts, intake, meter, stallAfter, onGap, openSequence: next }, shard.index);
      this.streams.push(stream);
    }
    await untilDatabaseAnswers(() => reopenSyncs(parts.db, parts.client.hub, accounts), parts);
    tasks.push(...this.streams.map((stream) => this.follow(stream)), this.compare(parts, accounts));
  }

  /** A stream that ends by itself has nothing to tell and counts no more. */
  private async follow(stream: ShardStream): Promise<void> {
    await stream.run();
    this.streams = this.streams.filter((other) => other !== stream);
  }

  /** Works off the requests to compare accounts, whenever there are some. */
  private async compare(parts: SyncParts, accounts: readonly number[]): Promise<void> {
    const { db, client, log, signal } = parts;
    for (let refusals = 0; !signal.aborted; ) {
      this.syncWanted = new AbortController();
      const open = await untilDatabaseAnswers(() => selectOpenSyncs(db, client.hub, accounts), parts);
      let refused = 0;
      for (const sync of open) {
        log.info({ shard: sync.shard, reason: sync.reason }, 'comparing the accounts of a shard with the hub');
        refused += await runSync(parts, sync, (done, total) => {
          this.progress = { done, total };
        });
        log.info({ shard: sync.shard, refused }, 'compared the accounts of a shard with the hub');
        this.progress = undefined;
      }
      refusals = refused > 0 ? refusals + 1 : 0;
      const longest = Math.min(LONGEST_SYNC_PAUSE, SYNC_PAUSE * 2 ** refusals);
      await pause(longest, AbortSignal.any([signal, this.syncWanted.signal]));
    }
  }
}
