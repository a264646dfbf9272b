import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { HubAddress } from '../../config/parse.js';
import type { Database } from '../../db/database.js';
import {
  FAILED_FIDS,
  FAILED_GAP_FIDS,
  isForFailedFids,
  type OpenSync,
  reopenSyncs,
  selectOpenSyncs,
} from '../../store/hub/sync.js';
import type { FidFilter } from '../fid-filter.js';
import type { Ingest } from '../pipeline/pipeline.js';
import { HubClient } from './client.js';
import { createHubEventHandler } from './event-handler.js';
import { liveEventLogOf } from './live-event-log.js';
import type { HubMeter } from './meter.js';
import type { SyncDependencies } from './removed-message.js';
import { backoff, pause, retryDatabaseCall } from './retry.js';
import { admitReferencedAccounts, discoverShards, openSequence, syncShardsOf } from './shard.js';
import { SignerResolver } from './signer-resolver.js';
import { ShardStream, type StreamState } from './stream.js';
import { postponeFailed, runSync } from './sync.js';
import { describeSync, SyncProgress, type SyncState } from './sync-progress.js';

/**
 * Snapchain creates a block per second and confirms each with an event, so the connection is dead after half a minute
 * without one.
 */
const STALL_TIMEOUT_MS = 30_000;
/** Milliseconds between queries for accounts to sync, and at most between retries if the hub fails to return some. */
const SYNC_PAUSE = 60_000;
const LONGEST_SYNC_PAUSE = 3_600_000;
/** Milliseconds after which a round of reading counts as good: what failed in it is not what failed before. */
const GOOD_ROUND = 60_000;

export interface HubSource {
  readonly address: HubAddress;
  readonly db: Database;
  readonly ingest: Ingest;
  readonly log: Logger;
  /** Partial mode; its `accepts` must be the pipeline's `isIndexed`. */
  readonly filter?: FidFilter;
  /** Milliseconds before what failed is first tried again; 250 unless given. */
  readonly firstPauseMs?: number;
}

export interface HubReaderOptions extends HubSource {
  readonly meter: HubMeter;
  /** Milliseconds without an event after which a stream is reopened; 30,000 by default. */
  readonly stallTimeoutMs?: number;
  /** Milliseconds between queries for accounts to sync, doubled after each failure; 60,000 by default. */
  readonly syncPauseMs?: number;
}

/** State of ingest from the hub. */
export interface HubState {
  /** True if the streams of all shards are open. */
  readonly connected: boolean;
  /** Seconds by which the slowest shard of the store is behind the hub; undefined before any event. */
  readonly lagSeconds: number | undefined;
  /** By how many blocks the hub is behind what was stored from it, at most. */
  readonly hubBehind: number;
  /** The running sync. */
  readonly backfill: SyncState | undefined;
  /** By shard; none before the hub has named its shards. */
  readonly streams: readonly StreamState[];
}

/** @returns the dependencies of everything that reads from a hub; the caller closes the client */
export const hubDependencies = (
  { address, db, ingest, log, filter, firstPauseMs }: HubSource,
  signal: AbortSignal,
): SyncDependencies => {
  setMaxListeners(0, signal);
  const parts = {
    client: new HubClient(address, signal),
    db,
    ingest,
    log,
    signal,
    firstPauseMs,
    ...(filter ? { filter } : {}),
  };
  return { ...parts, signerResolver: new SignerResolver(parts), marks: liveEventLogOf(ingest) };
};

/**
 * Follows a hub: reads the events of all shards from the stored positions, and syncs accounts where nothing was stored
 * or events were missed. Starts at once, and waits for an unavailable hub or database.
 */
export class HubReader {
  readonly #options: HubReaderOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #streams: ShardStream[] = [];
  #progress: SyncProgress | undefined;
  #syncRequested = new AbortController();

  constructor(options: HubReaderOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  state(): HubState {
    const streams = this.#streams.map((stream) => stream.state());
    const lags = streams.flatMap(({ lagSeconds }) => lagSeconds ?? []);
    return {
      connected: streams.length > 0 && streams.every(({ connected }) => connected),
      lagSeconds: lags.length > 0 ? Math.max(...lags) : undefined,
      hubBehind: Math.max(0, ...streams.map(({ hubBehind }) => hubBehind)),
      backfill: this.#progress?.state,
      streams,
    };
  }

  /** Resolves when reading has ended; events that were not stored are read again at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; failures++) {
      const beganAt = performance.now();
      const round = new AbortController();
      const parts = hubDependencies(this.#options, AbortSignal.any([signal, round.signal]));
      const tasks: Promise<unknown>[] = [];
      try {
        await this.#begin(parts, tasks);
        await Promise.all(tasks);
      } catch (error) {
        if (!signal.aborted) this.#options.log.error({ err: error }, 'reading from the hub failed; beginning again');
      } finally {
        round.abort();
        await Promise.allSettled(tasks);
        this.#streams = [];
        parts.client.close();
      }
      if (performance.now() - beganAt > GOOD_ROUND) failures = 0;
      await pause(backoff(failures), signal);
    }
  }

  async #begin(deps: SyncDependencies, tasks: Promise<unknown>[]): Promise<void> {
    const { meter, stallTimeoutMs = STALL_TIMEOUT_MS } = this.#options;
    const shards = await discoverShards(deps);
    const accounts = syncShardsOf(deps, shards);
    await admitReferencedAccounts(deps);
    const eventHandler = createHubEventHandler(deps, deps.signerResolver, deps.marks);
    const onGap = () => this.#syncRequested.abort();
    // The positions of all shards first: they request accounts, which must happen before any sync.
    for (const shard of shards) {
      const first = await openSequence(deps, shard);
      const sequences = [first];
      const next = async () => sequences.pop() ?? openSequence(deps, shard);
      const stream = new ShardStream(
        { ...deps, eventHandler, meter, stallTimeoutMs, onGap, openSequence: next },
        shard.index,
      );
      this.#streams.push(stream);
    }
    await retryDatabaseCall(() => reopenSyncs(deps.db, deps.client.hub, accounts), deps);
    tasks.push(...this.#streams.map((stream) => this.#follow(stream)), this.#runOpenSyncs(deps, accounts));
  }

  /** A stream that ended by itself is not counted any more. */
  async #follow(stream: ShardStream): Promise<void> {
    await stream.run();
    this.#streams = this.#streams.filter((other) => other !== stream);
  }

  /** Runs the syncs that are requested, now and later. One that fails is tried again later, and ends no stream. */
  async #runOpenSyncs(deps: SyncDependencies, accounts: readonly number[]): Promise<void> {
    const { db, client, log, signal } = deps;
    const { syncPauseMs = SYNC_PAUSE } = this.#options;
    const shards = [...accounts, FAILED_FIDS, FAILED_GAP_FIDS];
    // Rounds in which a sync failed, and in which the hub failed to return accounts: these alone wait for long.
    let [failures, refusals] = [0, 0];
    while (!signal.aborted) {
      this.#syncRequested = new AbortController();
      const open = await retryDatabaseCall(() => selectOpenSyncs(db, client.hub, shards), deps);
      let [hasFailed, isComplete] = [false, true];
      for (const sync of open) {
        try {
          if (!(await this.#runOpenSync(deps, sync))) isComplete = false;
        } catch (error) {
          if (signal.aborted) throw error;
          hasFailed = true;
          log.error({ err: error, shard: sync.shard }, 'the accounts of a shard could not be synced with the hub');
        } finally {
          this.#progress = undefined;
        }
      }
      failures = hasFailed ? failures + 1 : 0;
      refusals = isComplete ? 0 : refusals + 1;
      const longest = Math.min(LONGEST_SYNC_PAUSE, syncPauseMs * 2 ** refusals);
      await pause(
        hasFailed ? Math.min(longest, backoff(failures)) : longest,
        AbortSignal.any([signal, this.#syncRequested.signal]),
      );
    }
  }

  /** @returns whether the hub returned all accounts; the others are synced on their own */
  async #runOpenSync(deps: SyncDependencies, sync: OpenSync): Promise<boolean> {
    const { log } = deps;
    log.info({ shard: sync.shard, reason: sync.reason }, 'syncing the accounts of a shard with the hub');
    const progress = new SyncProgress((state) => log.info({ shard: sync.shard, ...state }, describeSync(state)));
    this.#progress = progress;
    const failed = await runSync(deps, sync, (done, total) => progress.update(done, total));
    if (failed.length > 0 && !isForFailedFids(sync.shard)) await postponeFailed(deps, sync, failed);
    log.info({ shard: sync.shard, refused: failed.length }, 'synced the accounts of a shard with the hub');
    return failed.length === 0;
  }
}
