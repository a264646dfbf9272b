import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/database.js';
import { claimHubLeadership, releaseHubLeadership, selectHubLeaderState } from '../../store/hub/leader.js';
import type { HubReader, HubState } from './reader.js';

/** Milliseconds for which a leader leads without saying so again. With the next turn, a takeover takes four seconds. */
const LEAD_MS = 3_000;
const TURN_MS = 1_000;

const NOT_FOLLOWED: HubState = { connected: false, lagSeconds: undefined, lastEventAt: undefined, backfill: undefined };

export interface HubLeaderOptions {
  readonly db: Database;
  /** Whether this process may lead; otherwise it only knows what the leader says. */
  readonly canLead: boolean;
  /** Starts to follow the hub. */
  readonly follow: () => HubReader;
  /** Called when another process has taken over. */
  readonly ended: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Lets one of all processes on a database follow the hub. The leader says each second that it is alive; when it has not
 * for three, the next one that asks leads. A process that stood still may follow for a moment beside the new leader,
 * which costs work and changes nothing: an event that is read twice is stored once.
 */
export class HubLeader {
  readonly #options: HubLeaderOptions;
  readonly #id = randomUUID();
  readonly #stopping = new AbortController();
  #reader: HubReader | undefined;
  #others = NOT_FOLLOWED;
  #running: Promise<void> = Promise.resolve();

  constructor(options: HubLeaderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** The state of whoever follows the hub; of another process as of a second ago. */
  get state(): HubState {
    return this.#reader?.state() ?? this.#others;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    const isLeading = this.#reader !== undefined;
    await this.#end();
    // Where this fails, the time runs out.
    if (isLeading) await releaseHubLeadership(this.#options.db, this.#id).catch(() => undefined);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      // The reader waits for an unavailable database by itself, and nobody else leads meanwhile.
      await this.#turn().catch(this.#options.failed);
      await wait(TURN_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #turn(): Promise<void> {
    const { db, canLead, follow, ended } = this.#options;
    const isLeading =
      // The embedded database has no other process.
      db.kind === 'embedded' ||
      (canLead &&
        (await claimHubLeadership(db, this.#id, { leadMs: LEAD_MS, state: this.#reader?.state() ?? NOT_FOLLOWED })));
    if (isLeading) {
      this.#reader ??= follow();
      return;
    }
    if (this.#reader) {
      await this.#end();
      ended();
    }
    this.#others = ((await selectHubLeaderState(db)) as HubState | undefined) ?? NOT_FOLLOWED;
  }

  async #end(): Promise<void> {
    await this.#reader?.stop();
    this.#reader = undefined;
  }
}
