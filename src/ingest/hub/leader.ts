import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/database.js';
import { claimHubLeadership, releaseHubLeadership, selectHubLeaderState } from '../../store/hub/leader.js';
import type { HubReader, HubState } from './reader.js';

/**
 * Lease of the leader in milliseconds. Another process takes over at most four seconds after the leader has died: the
 * lease and one period of its own attempts.
 */
const LEASE_MS = 3_000;
const RENEW_MS = 1_000;

const NOT_FOLLOWED: HubState = {
  connected: false,
  lagSeconds: undefined,
  backfill: undefined,
  hubBehind: 0,
  streams: [],
};

export interface HubLeaderOptions {
  readonly db: Database;
  /** Whether this process may lead; otherwise it only reads the state of the leader. */
  readonly canLead: boolean;
  /** Starts to follow the hub. */
  readonly follow: () => HubReader;
  /** Called when another process has taken over. */
  readonly ended: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Elects the one process on a database that follows the hub, by a lease in the database: the leader renews it each second,
 * and any process may claim it once it has expired. A process that was suspended may follow for a moment beside the new
 * leader, which costs work and changes nothing: an event that is read twice is stored once.
 */
export class HubLeader {
  readonly #options: HubLeaderOptions;
  readonly #id = randomUUID();
  readonly #stopping = new AbortController();
  #reader: HubReader | undefined;
  #leaderState = NOT_FOLLOWED;
  #running: Promise<void> = Promise.resolve();

  constructor(options: HubLeaderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** State of the leader's reader; up to a second old if another process leads. */
  get state(): HubState {
    return this.#reader?.state() ?? this.#leaderState;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    const isLeading = this.#reader !== undefined;
    await this.#end();
    // If this fails, the lease expires.
    if (isLeading) await releaseHubLeadership(this.#options.db, this.#id).catch(() => undefined);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      // The reader waits for an unavailable database by itself, and nobody else leads meanwhile.
      await this.#renewOrClaim().catch(this.#options.failed);
      await wait(RENEW_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #renewOrClaim(): Promise<void> {
    const { db, canLead, follow, ended } = this.#options;
    const isLeading =
      // The embedded database has no other process.
      db.kind === 'embedded' ||
      (canLead &&
        (await claimHubLeadership(db, this.#id, { leadMs: LEASE_MS, state: this.#reader?.state() ?? NOT_FOLLOWED })));
    if (isLeading) {
      this.#reader ??= follow();
      return;
    }
    if (this.#reader) {
      await this.#end();
      ended();
    }
    // The leader may be of an older version, whose state has less.
    this.#leaderState = { ...NOT_FOLLOWED, ...((await selectHubLeaderState(db)) as Partial<HubState> | undefined) };
  }

  async #end(): Promise<void> {
    await this.#reader?.stop();
    this.#reader = undefined;
  }
}
