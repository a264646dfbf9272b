import { setTimeout as wait } from 'node:timers/promises';
import type { ReadinessCheck } from './api/service.js';
import type { HubState } from './ingest/hub-reader.js';
import type { Log } from './log.js';
import type { Database } from './store/database.js';
import { sqlState } from './store/failure.js';
import { selectWritability, type Writability } from './db/probe.js';
import { type SchemaState, selectSchemaState } from './db/schema-state.js';

/** @returns whether the store lacks what the hub has: away, filling up, or later than allowed; never without a hub. */
export const isBehind = (state: HubState | undefined, maxLagSeconds: number): boolean =>
  state !== undefined && (!state.connected || state.backfill !== undefined || (state.lagSeconds ?? 0) > maxLagSeconds);

/** @returns what keeps the store from being current; undefined when it is, or reads from no hub. */
const ingestProblem = (state: HubState | undefined, maxLagSeconds: number): string | undefined => {
  if (!state) return undefined;
  if (!state.connected) return 'not connected to the hub of HUB_URL';
  const lag = state.lagSeconds ?? 0;
  return lag > maxLagSeconds
    ? `${Math.round(lag)} s behind the hub (READY_MAX_LAG_SECONDS is ${maxLagSeconds})`
    : undefined;
};

/** Milliseconds between two looks at the database. */
const LOOK_EVERY = 2_000;
/** Looks without an answer, one after the other, until a server counts as away: load alone does not last as long. */
const MAX_SILENT_LOOKS = 15;

const WRITE_PROBLEMS: Readonly<Record<Exclude<Writability, 'yes'>, string>> = {
  standby: 'the database is a standby and takes no writes',
  'read-only': 'the database is read-only (default_transaction_read_only)',
  'disk-full': 'the disk of the database is full',
};

/** A newer schema is no problem: a newer version is being rolled out, and this process serves until it is replaced. */
const schemaProblem = (state: SchemaState): string | undefined => {
  if (state.kind === 'absent') return 'none was applied; run castellan migrate';
  return state.kind === 'older' ? `not applied: ${state.missing.join(', ')}; run castellan migrate` : undefined;
};

/** What keeps requests from being served, as of the latest answer of the database. */
interface Problems {
  readonly database?: string | undefined;
  readonly writes?: string | undefined;
  readonly migrations?: string | undefined;
}

/** Too many connections or a connection that is slow to open: a busy server, which serves those that it has. */
const isBusy = (error: unknown): boolean =>
  sqlState(error) === '53300' || (error instanceof Error && /timeout expired|EAGAIN/.test(error.message));

/**
 * Asks the database again and again whether it answers and takes writes, on a connection of its own, so that neither the
 * requests' load nor the number of callers of `/health/ready` matters: they read the latest answer.
 */
export class DatabaseWatch {
  readonly #db: Database;
  readonly #log: Log;
  readonly #probe: ReturnType<Database['openProbe']>;
  readonly #stopping = new AbortController();
  #problems: Problems = { database: 'was not asked yet' };
  #silentLooks = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(db: Database, log: Log) {
    this.#db = db;
    this.#log = log;
    this.#probe = db.openProbe();
  }

  get problems(): Problems {
    return this.#problems;
  }

  /** Resolves after the first look. */
  async start(): Promise<void> {
    await this.#look();
    this.#running = this.#lookOn();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#probe.close();
    await this.#running;
  }

  async #lookOn(): Promise<void> {
    while (await this.#pause()) await this.#look();
  }

  /** @returns false when it was cut short because the service stops. */
  #pause(): Promise<boolean> {
    return wait(LOOK_EVERY, true, { signal: this.#stopping.signal, ref: false }).catch(() => false);
  }

  async #look(): Promise<void> {
    const answer = this.#ask().then(
      (problems) => this.#answered(problems),
      (error: unknown) => this.#failed(error),
    );
    // Looks are counted instead of seconds: while this process itself is busy, neither is an answer read.
    while ((await Promise.race([answer.then(() => 'answered'), this.#pause()])) === true) this.#silent();
    await (this.#stopping.signal.aborted ? undefined : answer);
  }

  async #ask(): Promise<Problems> {
    try {
      return await this.#askOnce();
    } catch (error) {
      // A connection may have been cut for itself; what a new one says counts.
      if (this.#stopping.signal.aborted || isBusy(error)) throw error;
      return this.#askOnce();
    }
  }

  async #askOnce(): Promise<Problems> {
    const writability = await selectWritability(this.#probe);
    const schema = await selectSchemaState(this.#probe);
    // Settings of a database count for new connections: the next look opens one.
    if (writability !== 'yes') await this.#probe.reset();
    return {
      writes: writability === 'yes' ? undefined : WRITE_PROBLEMS[writability],
      migrations: schemaProblem(schema),
    };
  }

  #answered(problems: Problems): void {
    this.#silentLooks = 0;
    if (problems.writes !== undefined && problems.writes !== this.#problems.writes) this.#log.error(problems.writes);
    this.#problems = problems;
  }

  #failed(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    if (isBusy(error)) {
      this.#silent();
      return;
    }
    // The cause may name hosts and users, so only the log gets it.
    this.#log.warn({ err: error }, 'the database does not answer the readiness check');
    this.#problems = { database: 'does not answer; the log says why' };
  }

  #silent(): void {
    // The embedded database is part of this process: it answers whenever it is done with what came before.
    if (this.#db.kind === 'embedded' || ++this.#silentLooks < MAX_SILENT_LOOKS) return;
    this.#silentLooks = 0;
    this.#problems = { database: `has not answered for ${(MAX_SILENT_LOOKS * LOOK_EVERY) / 1000} s` };
    void this.#probe.reset();
  }
}

/**
 * What must hold before requests should be sent here.
 * @param parts `hub` tells how the reading of the hub stands, undefined without one
 */
export const readinessChecks = (parts: {
  readonly database: Pick<DatabaseWatch, 'problems'>;
  readonly hub: () => HubState | undefined;
  readonly maxLagSeconds: number;
}): readonly ReadinessCheck[] => [
  { name: 'database', check: async () => parts.database.problems.database },
  { name: 'writes', check: async () => parts.database.problems.writes },
  { name: 'migrations', check: async () => parts.database.problems.migrations },
  { name: 'ingest', check: async () => ingestProblem(parts.hub(), parts.maxLagSeconds) },
];
