import { setTimeout as wait } from 'node:timers/promises';
import type { ReadinessCheck } from '../api/http/service.js';
import type { Database } from '../db/database.js';
import { sqlState } from '../db/failure.js';
import { selectWritability, type Writability } from '../db/probe.js';
import type { ReplicaPool, ReplicaState } from '../db/replica/pool.js';
import { type SchemaState, selectSchemaState } from '../db/schema-state.js';
import type { HubState } from '../ingest/hub/reader.js';
import { describeSync } from '../ingest/hub/sync-progress.js';
import type { Log } from '../log.js';

/** @returns whether the store is behind the hub: disconnected, backfilling, or too late; never without a hub */
export const isBehind = (state: HubState | undefined, maxLagSeconds: number): boolean =>
  state !== undefined &&
  (!state.connected || state.hubBehind > 0 || state.backfill !== undefined || (state.lagSeconds ?? 0) > maxLagSeconds);

/** @returns why the store is not current; undefined if it is, or reads from no hub */
const ingestProblem = (state: HubState | undefined, maxLagSeconds: number): string | undefined => {
  if (!state) return undefined;
  if (!state.connected) return 'not connected to the hub of CASTELLAN_HUB_URL';
  if (state.hubBehind > 0) {
    const blocks = `${state.hubBehind} ${state.hubBehind === 1 ? 'block' : 'blocks'}`;
    return `the hub is ${blocks} behind this store: it was reset or restored, or is another hub`;
  }
  const lag = state.lagSeconds ?? 0;
  return lag > maxLagSeconds
    ? `${Math.round(lag)} s behind the hub (CASTELLAN_READY_MAX_LAG_SECONDS is ${maxLagSeconds})`
    : undefined;
};

/** Milliseconds between two polls of the database while someone asks for the result. */
const POLL_EVERY = 2_000;
/** After so many polls since someone asked, the pauses become longer. */
const UNASKED_POLLS = 5;
/** How many times longer the pauses between polls are then. */
const REST_FACTOR = 15;
/** Polls in a row without a response after which a server counts as unavailable: load alone does not last as long. */
const MAX_UNANSWERED_POLLS = 15;

const WRITE_PROBLEMS: Readonly<Record<Exclude<Writability, 'yes'>, string>> = {
  standby: 'the database is a standby and takes no writes',
  'read-only': 'the database is read-only (default_transaction_read_only)',
  'disk-full': 'the disk of the database is full',
};

/** A newer schema is not a problem: a newer version is being deployed, and this process serves until it is replaced. */
const schemaProblem = (state: SchemaState): string | undefined => {
  if (state.kind === 'absent') return 'none was applied; run castellan migrate';
  if (state.kind === 'outdated') return 'the database is from before 0.1.0; start with an empty one';
  return state.kind === 'older' ? `not applied: ${state.missing.join(', ')}; run castellan migrate` : undefined;
};

/** Reasons not to serve requests, as of the latest response of the database. */
interface Problems {
  readonly database?: string | undefined;
  readonly writes?: string | undefined;
  readonly migrations?: string | undefined;
}

/** Too many connections or a slow new connection: a busy server, which still serves the existing connections. */
const isBusy = (error: unknown): boolean =>
  sqlState(error) === '53300' || (error instanceof Error && /timeout expired|EAGAIN/.test(error.message));

/**
 * Polls whether the database responds and accepts writes, on its own connection, so that neither the load nor the
 * number of callers of `/health/ready` matters: they get the latest result.
 */
export class DatabaseWatch {
  readonly #db: Database;
  readonly #log: Log;
  readonly #pollMs: number;
  readonly #probe: ReturnType<Database['openProbe']>;
  readonly #stopping = new AbortController();
  #problems: Problems = { database: 'was not asked yet' };
  #unansweredPolls = 0;
  /** Polls since someone asked for the result. */
  #unaskedPolls = 0;
  #rest = new AbortController();
  #running: Promise<void> = Promise.resolve();

  /** @param pollMs milliseconds between two polls */
  constructor(db: Database, log: Log, pollMs = POLL_EVERY) {
    this.#db = db;
    this.#pollMs = pollMs;
    this.#log = log;
    this.#probe = db.openProbe();
  }

  /** As of the last poll, which is older when nobody asked before: this ends the rest. */
  get problems(): Problems {
    this.#unaskedPolls = 0;
    this.#rest.abort();
    return this.#problems;
  }

  /** Resolves after the first poll. */
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
    while (await this.#pauseOrRest()) await this.#look();
  }

  async #pauseOrRest(): Promise<boolean> {
    this.#unaskedPolls += 1;
    if (this.#unaskedPolls > UNASKED_POLLS) {
      this.#rest = new AbortController();
      const signal = AbortSignal.any([this.#rest.signal, this.#stopping.signal]);
      await wait((REST_FACTOR - 1) * this.#pollMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    return this.#pause();
  }

  /** @returns false if it was interrupted because the service stops */
  #pause(): Promise<boolean> {
    return wait(this.#pollMs, true, { signal: this.#stopping.signal, ref: false }).catch(() => false);
  }

  async #look(): Promise<void> {
    const answer = this.#ask().then(
      (problems) => this.#answered(problems),
      (error: unknown) => this.#failed(error),
    );
    // Polls are counted instead of seconds: a busy process does not read the responses either.
    while ((await Promise.race([answer.then(() => 'answered'), this.#pause()])) === true) this.#silent();
    await (this.#stopping.signal.aborted ? undefined : answer);
  }

  async #ask(): Promise<Problems> {
    try {
      return await this.#askOnce();
    } catch (error) {
      // The connection may have been broken by itself; the result of a new one decides.
      if (this.#stopping.signal.aborted || isBusy(error)) throw error;
      return this.#askOnce();
    }
  }

  async #askOnce(): Promise<Problems> {
    const writability = await selectWritability(this.#probe);
    const schema = await selectSchemaState(this.#probe);
    // New settings of a database apply to new connections: the next poll opens one.
    if (writability !== 'yes') await this.#probe.reset();
    return {
      writes: writability === 'yes' ? undefined : WRITE_PROBLEMS[writability],
      migrations: schemaProblem(schema),
    };
  }

  #answered(problems: Problems): void {
    this.#unansweredPolls = 0;
    if (problems.writes !== undefined && problems.writes !== this.#problems.writes) this.#log.error(problems.writes);
    this.#problems = problems;
  }

  #failed(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    if (isBusy(error)) {
      this.#silent();
      return;
    }
    // The error may contain hosts and users, so it is only logged.
    this.#log.warn({ err: error }, 'the database does not answer the readiness check');
    this.#problems = { database: 'does not answer; the log says why' };
  }

  #silent(): void {
    // The embedded database is part of this process: it responds when it has finished its current work.
    if (this.#db.kind === 'embedded' || ++this.#unansweredPolls < MAX_UNANSWERED_POLLS) return;
    this.#unansweredPolls = 0;
    this.#problems = { database: `has not answered for ${(MAX_UNANSWERED_POLLS * this.#pollMs) / 1000} s` };
    void this.#probe.reset();
  }
}

/** @returns how many replicas are read from, and why the others are not: `1 of 2 are read from; replica 2 is behind` */
const describeReplicas = (states: readonly ReplicaState[]): string => {
  const used = states.filter(({ problem }) => problem === undefined);
  const leftOut = states.flatMap(({ problem }, at) => (problem === undefined ? [] : [`replica ${at + 1} ${problem}`]));
  return [`${used.length} of ${states.length} are read from`, ...leftOut].join('; ');
};

/**
 * The conditions for receiving requests. A hub that is away takes all processes of a service at once: were they not ready
 * then, a restarted hub would be an outage.
 * @param parts `hub` returns the state of the hub reader, undefined without a hub; `replicas` is undefined where there
 *   are none
 */
export const readinessChecks = (parts: {
  readonly database: Pick<DatabaseWatch, 'problems'>;
  readonly hub: () => HubState | undefined;
  readonly replicas: Pick<ReplicaPool, 'states'> | undefined;
  readonly maxLagSeconds: number;
}): readonly ReadinessCheck[] => [
  { name: 'database', check: async () => parts.database.problems.database },
  { name: 'writes', stillServes: true, check: async () => parts.database.problems.writes },
  { name: 'migrations', check: async () => parts.database.problems.migrations },
  {
    name: 'ingest',
    stillServes: true,
    check: async () => ingestProblem(parts.hub(), parts.maxLagSeconds),
    note: () => {
      const sync = parts.hub()?.backfill;
      return sync && describeSync(sync);
    },
  },
  // It always passes: what a replica does not answer, the primary does.
  ...(parts.replicas
    ? [{ name: 'replicas', check: async () => undefined, note: () => describeReplicas(parts.replicas?.states() ?? []) }]
    : []),
];
