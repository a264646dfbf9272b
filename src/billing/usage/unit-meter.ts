import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/database.js';
import { selectUsedUnits, upsertUsage } from '../../store/billing/usage.js';
import type { Plans } from '../plan/plan.js';
import type { Call, Meter, Usage } from './meter.js';
import { OrganizationUsage } from './organization-usage.js';
import { quotaExceeded } from './quota.js';
import type { RowBudget } from './usage-buffer.js';

const FLUSH_MS = 1000;
/** How long a stop waits for calls in progress, and retries a database that fails. */
const STOP_MS = 5000;
const STOP_RETRY_MS = 300;
const STOP_POLL_MS = 50;
/** Rows of usage that a process holds before the database has stored them; about 30 MB. */
const MAX_ROWS = 100_000;

export interface MeterDependencies {
  readonly db: Database;
  readonly plans: Plans;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Milliseconds between two writes; a second unless given. */
  readonly flushMs?: number | undefined;
  /** Whether calls that exceed the plan are rejected. */
  readonly enforces: boolean;
  /** Begins the next period of an organization whose period ended. */
  renew(organizationId: string): Promise<unknown>;
  /** Called with units before they are written. */
  counted(operation: string, units: number): void;
  /** Called with errors of writes and renewals; both are retried. */
  failed(error: unknown): void;
  /** Called with units that are not counted: the buffer was full, or the database failed until the stop ended. */
  lost(units: number): void;
}

/**
 * Counts compute units in memory and writes them every second, in one statement. Limits apply to the last known sums of
 * all processes plus the unwritten units of this one (docs/decisions/0035-usage-counted-each-second.md).
 */
class UnitMeter implements Meter {
  readonly #deps: MeterDependencies;
  readonly #processId = randomUUID();
  readonly #usages = new Map<string, OrganizationUsage>();
  readonly #budget: RowBudget = { left: MAX_ROWS };
  #sequence = 0;
  #droppedUnits = 0;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  /** The statement in progress; there is one at a time. */
  #flushing: Promise<void> | undefined;

  constructor(deps: MeterDependencies) {
    this.#deps = deps;
  }

  begin(call: Call): Usage | undefined | Promise<Usage | undefined> {
    const { enforces, plans, clock } = this.#deps;
    const usage = this.#usageOf(call.organizationId);
    const isStale = usage.call(performance.now());
    if (!enforces || call.units === 0 || plans.byId(call.planId).units === null) {
      usage.busy += call.units;
      return usage.isKnown ? usage : undefined;
    }
    if (isStale || usage.isRenewalDue(clock())) this.#startLoading(usage);
    const { loading } = usage;
    return loading === undefined ? this.#admit(usage, call.units) : loading.then(() => this.#admit(usage, call.units));
  }

  end(call: Call, units: number | null): void {
    const usage = this.#usageOf(call.organizationId);
    usage.busy -= call.units;
    if (units === null) return;
    if (!usage.buffer.add(call, units, this.#deps.clock(), this.#budget)) this.#droppedUnits += units;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#flush(), this.#deps.flushMs ?? FLUSH_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const end = performance.now() + STOP_MS;
    for (;;) {
      // A database that does not respond must not block the stop.
      await Promise.race([this.#flush(), wait(Math.max(0, end - performance.now()), undefined, { ref: false })]);
      if (this.#isFinished || performance.now() >= end) break;
      await wait(this.#isFailing ? STOP_RETRY_MS : STOP_POLL_MS);
    }
    this.#reportDropped();
    let lost = 0;
    for (const { unwritten, busy } of this.#usages.values()) lost += unwritten + busy;
    if (lost > 0) this.#deps.lost(lost);
  }

  get #isFinished(): boolean {
    for (const { batch, buffer, busy } of this.#usages.values()) {
      if (batch !== undefined || !buffer.isEmpty || busy > 0) return false;
    }
    return this.#flushing === undefined;
  }

  #usageOf(organizationId: string): OrganizationUsage {
    let usage = this.#usages.get(organizationId);
    if (usage === undefined) {
      usage = new OrganizationUsage(organizationId, this.#deps.plans);
      this.#usages.set(organizationId, usage);
    }
    return usage;
  }

  #admit(usage: OrganizationUsage, units: number): Usage {
    const { used, limit, resetsAt } = usage;
    if (limit !== null && used + units > limit) throw quotaExceeded({ used, limit, resetsAt }, units);
    usage.busy += units;
    return usage;
  }

  #startLoading(usage: OrganizationUsage): void {
    usage.loading ??= this.#load(usage).finally(() => {
      usage.loading = undefined;
    });
  }

  /** Reads the sums of all processes, and begins the next period where the last one ended. */
  async #load(usage: OrganizationUsage): Promise<void> {
    try {
      await this.#read(usage);
      if (!usage.isRenewalDue(this.#deps.clock())) return;
      usage.markRenewalTried();
      await this.#deps.renew(usage.id).catch(this.#deps.failed);
      await this.#read(usage);
    } catch (error) {
      // While the database is unavailable, the last known sums apply.
      if (!usage.isKnown) throw error;
    }
  }

  async #read(usage: OrganizationUsage): Promise<void> {
    const known = await selectUsedUnits(this.#deps.db, usage.id);
    if (known === undefined) throw new Error(`organization ${usage.id} has no subscription`);
    usage.update(known);
  }

  #flush(): Promise<void> {
    this.#flushing ??= this.#write()
      .then(
        () => {
          this.#isFailing = false;
        },
        (error: unknown) => {
          // Reported once for an outage.
          if (!this.#isFailing) this.#deps.failed(error);
          this.#isFailing = true;
        },
      )
      .finally(() => {
        this.#flushing = undefined;
      });
    return this.#flushing;
  }

  async #write(): Promise<void> {
    this.#reportDropped();
    const now = this.#deps.clock();
    const at = performance.now();
    const others: string[] = [];
    for (const usage of this.#usages.values()) {
      this.#makeBatch(usage);
      if (usage.isActive(at) && usage.isRenewalDue(now)) this.#startLoading(usage);
      if (usage.batch === undefined && usage.isActive(at)) others.push(usage.id);
      else if (usage.isEvictable(at)) this.#usages.delete(usage.id);
    }
    const batches = [...this.#usages.values()].flatMap(({ batch }) => (batch === undefined ? [] : [batch]));
    if (batches.length === 0 && others.length === 0) return;
    const { db } = this.#deps;
    const batch = { processId: this.#processId, writtenAt: new Date(now), batches, others };
    for (const { isWritten, ...known } of await db.transaction((session) => upsertUsage(session, batch))) {
      const usage = this.#usageOf(known.organizationId);
      usage.update(known);
      if (!isWritten) continue;
      this.#budget.left += usage.batch?.rows.length ?? 0;
      usage.batch = undefined;
    }
  }

  /** A batch does not change until it is known to be stored, because its sequence number identifies its content. */
  #makeBatch(usage: OrganizationUsage): void {
    const { id, buffer, batch } = usage;
    if (batch !== undefined || buffer.isEmpty) return;
    const { units } = buffer;
    const rows = buffer.take();
    usage.batch = { organizationId: id, sequence: ++this.#sequence, rows, units };
    for (const row of rows) this.#deps.counted(row.operation, row.units);
  }

  #reportDropped(): void {
    if (this.#droppedUnits > 0) this.#deps.lost(this.#droppedUnits);
    this.#droppedUnits = 0;
  }
}

/** @returns the meter of one process */
export const createMeter = (deps: MeterDependencies): Meter => new UnitMeter(deps);
