import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../store/database.js';
import type { Call, Meter, Standing } from './meter.js';
import { OrganizationUse } from './organization-use.js';
import type { Plans } from './plan/plan.js';
import { Tally, type Written } from './tally.js';
import { type Exchanged, exchangeUnits, type LeaseRequest } from './unit-exchange.js';
import { WaitingCall } from './waiting-call.js';

const FLUSH_MS = 1000;
/** Organizations that nobody called for so long are forgotten here. */
const REST_MS = 600_000;
/** How long a stop waits for work that goes on, and tries to reach a database that fails. */
const STOP_MS = 5000;
const STOP_PAUSE_MS = 300;
const STOP_POLL_MS = 50;

export interface MeterParts {
  readonly db: Database;
  readonly plans: Plans;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Whether calls beyond the plan are refused. */
  readonly enforces: boolean;
  /** Begins the next period of an organization where the running one is over. */
  renew(organizationId: string): Promise<unknown>;
  /** Is told of units that count, when they are written down. */
  counted(operation: string, units: number): void;
  /** Is told when use cannot be written, and when a period cannot be begun; both are tried again. */
  failed(error: unknown): void;
  /** Is told of units that are counted nowhere: there was no room, or the database stayed away until the end. */
  lost(units: number): void;
}

interface Asked extends LeaseRequest {
  readonly use: OrganizationUse;
  readonly waiting: readonly WaitingCall[];
}

/**
 * Counts compute units in memory and writes them down every second, in one statement. Where limits are enforced, it
 * spends units that it reserved before (docs/decisions/0026-unit-leases.md). One exchange with the database is under
 * way at a time.
 */
class UnitMeter implements Meter {
  readonly #parts: MeterParts;
  readonly #processId = randomUUID();
  readonly #tally = new Tally(this.#processId);
  readonly #uses = new Map<string, OrganizationUse>();
  #written: Written | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;
  #isStopping = false;
  #isExchanging = false;
  #isFailing = false;
  #exchanges: Promise<void> = Promise.resolve();

  constructor(parts: MeterParts) {
    this.#parts = parts;
  }

  begin(call: Call): Standing | undefined | Promise<Standing | undefined> {
    const { enforces, plans, clock } = this.#parts;
    const { units } = call;
    const use = this.#useOf(call.organizationId);
    use.isCalled = true;
    if (!enforces || units === 0 || plans.byId(call.planId).units === null) {
      use.busy += units;
      return use.standing();
    }
    if (use.mayDraw(clock()) && use.draw(units)) {
      if (use.isLow && !this.#isFailing) this.#exchangeSoon();
      return use.standing();
    }
    const refusal = use.recentRefusal(units);
    if (refusal !== undefined) throw refusal;
    const waiting = new WaitingCall(units);
    use.waiting.push(waiting);
    this.#exchangeSoon();
    return waiting.over;
  }

  end(call: Call, units: number | null): void {
    const { enforces, plans, clock } = this.#parts;
    const use = this.#useOf(call.organizationId);
    use.busy -= call.units;
    if (enforces && plans.byId(call.planId).units !== null) use.free += call.units - (units ?? 0);
    if (units === null) return;
    if (this.#tally.add({ ...call, units }, clock())) use.pending += units;
  }

  start(): void {
    this.#timer = setInterval(() => this.#flush(), FLUSH_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopping = true;
    const end = performance.now() + STOP_MS;
    for (;;) {
      this.#flush();
      await this.#exchangesUntil(end);
      if ((this.#isWrittenDown && !this.#isBusy) || performance.now() >= end) break;
      await wait(this.#isFailing ? STOP_PAUSE_MS : STOP_POLL_MS);
    }
    let lost = this.#tally.takeLost();
    for (const use of this.#uses.values()) lost += use.writing + use.pending + use.busy;
    if (lost > 0) this.#parts.lost(lost);
  }

  /** Waits for what is under way, and no longer: a database that does not answer fails nothing. */
  async #exchangesUntil(end: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.ceil(end - performance.now()));
    });
    await Promise.race([this.#exchanges, patience]);
    clearTimeout(timer);
  }

  get #isWrittenDown(): boolean {
    if (this.#written !== undefined || !this.#tally.isEmpty) return false;
    return ![...this.#uses.values()].some(({ isLeased }) => isLeased);
  }

  /** Whether calls are answered now: their callers may have hung up, their work counts. */
  get #isBusy(): boolean {
    return [...this.#uses.values()].some(({ busy }) => busy > 0);
  }

  #useOf(organizationId: string): OrganizationUse {
    let use = this.#uses.get(organizationId);
    if (use === undefined) {
      use = new OrganizationUse(organizationId, this.#parts.plans);
      this.#uses.set(organizationId, use);
    }
    return use;
  }

  #flush(): void {
    this.#isDue = true;
    this.#exchangeSoon();
  }

  #exchangeSoon(): void {
    if (this.#isExchanging) return;
    this.#isExchanging = true;
    this.#exchanges = this.#exchangeAll();
  }

  async #exchangeAll(): Promise<void> {
    do {
      // Calls that came in together share one exchange.
      await new Promise((resolve) => setImmediate(resolve));
      const isFlush = this.#isDue;
      this.#isDue = false;
      try {
        await this.#exchange(isFlush);
        this.#isFailing = false;
      } catch (error) {
        // Once, however long it goes on.
        if (!this.#isFailing) this.#parts.failed(error);
        this.#isFailing = true;
      }
    } while (this.#isDue || this.#isAwaited);
    this.#isExchanging = false;
  }

  get #isAwaited(): boolean {
    for (const use of this.#uses.values()) if (use.waiting.length > 0 && !use.isRenewing) return true;
    return false;
  }

  async #exchange(isFlush: boolean): Promise<void> {
    const now = this.#parts.clock();
    if (isFlush) this.#beginFlush(now);
    const batch = this.#written?.batch;
    const asked = this.#parts.enforces ? this.#ask(isFlush, now) : [];
    if (batch === undefined && asked.length === 0) return;
    let exchanged: Exchanged;
    try {
      exchanged = await exchangeUnits({ ...this.#parts, processId: this.#processId }, { batch, requests: asked, now });
    } catch (error) {
      for (const { use, waiting } of asked) {
        // What the database has is not known. What was to go back stays unspent here, as others may have it already.
        use.isLeased = true;
        for (const one of waiting) one.refuse(error);
      }
      throw error;
    }
    this.#endFlush(exchanged);
    this.#serve(asked, exchanged, now);
  }

  /** Makes a batch of what was counted, unless an earlier one waits; begins periods; forgets who rests. */
  #beginFlush(now: number): void {
    const lost = this.#tally.takeLost();
    if (lost > 0) this.#parts.lost(lost);
    if (this.#written === undefined && !this.#tally.isEmpty) {
      this.#written = this.#tally.take(now);
      for (const [operation, units] of this.#written.unitsOfOperations) this.#parts.counted(operation, units);
      for (const [id, units] of this.#written.units) {
        const use = this.#useOf(id);
        use.writing = units;
        use.pending = 0;
      }
    }
    const at = performance.now();
    for (const use of this.#uses.values()) {
      if (use.isCalled) use.calledAt = at;
      use.isCalled = false;
      if (use.isAtRest && at - use.calledAt > REST_MS) this.#uses.delete(use.id);
      else if (at - use.calledAt < 2 * FLUSH_MS) this.#renewWhereDue(use, now);
    }
  }

  #endFlush({ written }: Exchanged): void {
    for (const known of written) this.#uses.get(known.organizationId)?.learn(known);
    for (const id of this.#written?.units.keys() ?? []) this.#useOf(id).writing = 0;
    this.#written = undefined;
  }

  /** @returns what to ask for: units for calls that wait, care for leases that nobody waits for */
  #ask(isFlush: boolean, now: number): Asked[] {
    const asked: Asked[] = [];
    for (const use of this.#uses.values()) {
      if (use.isRenewing) continue;
      const isWritten = this.#written?.units.has(use.id) ?? false;
      const isRefilled = !this.#isStopping && use.needsRefill(now);
      const isCaredFor =
        use.isLeased && (isWritten || isRefilled || this.#isStopping || (isFlush && use.needsCare(now)));
      if (use.waiting.length === 0 && !isCaredFor) continue;
      use.free -= this.#isStopping ? use.free : use.surplus(now);
      const waiting = use.waiting.filter(({ isOver }) => !isOver);
      use.waiting = [];
      const costs = waiting.map(({ units }) => units);
      const sum = costs.reduce((one, other) => one + other, 0);
      asked.push({
        use,
        waiting,
        organizationId: use.id,
        kept: use.free + use.busy + use.pending,
        units: Math.max(0, sum - use.free),
        least: Math.max(1, Math.min(...costs) - use.free),
        refilled: isRefilled ? use.free : undefined,
      });
    }
    return asked;
  }

  #serve(asked: readonly Asked[], { leased, locked }: Exchanged, now: number): void {
    const byId = new Map(leased.map((one) => [one.organizationId, one]));
    for (const { use, waiting, kept } of asked) {
      const lease = byId.get(use.id);
      if (locked.has(use.id)) {
        // Asked for again, until they have waited too long.
        use.waiting = [...waiting, ...use.waiting];
        continue;
      }
      if (lease === undefined) {
        use.isLeased = false;
        for (const one of waiting) one.refuse(new Error(`organization ${use.id} has no subscription`));
        continue;
      }
      use.take(lease, kept, now);
      // In the next period there are units again.
      if (waiting.length > 0 && this.#renewWhereDue(use, now)) use.waiting = [...waiting, ...use.waiting];
      else for (const one of waiting) this.#answer(use, one);
    }
  }

  #answer(use: OrganizationUse, waiting: WaitingCall): void {
    if (waiting.isOver) return;
    if (use.draw(waiting.units)) waiting.admit(use.standing());
    else waiting.refuse(use.refuse(waiting.units));
  }

  /** @returns whether a period is being begun */
  #renewWhereDue(use: OrganizationUse, now: number): boolean {
    if (!use.needsRenewal(now)) return false;
    use.isRenewing = true;
    void this.#parts
      .renew(use.id)
      .catch(this.#parts.failed)
      .finally(() => {
        use.isRenewing = false;
        if (use.waiting.length > 0) this.#exchangeSoon();
      });
    return true;
  }
}

/** @returns the meter of one process; its counts and leases are under an id of their own */
export const createMeter = (parts: MeterParts): Meter => new UnitMeter(parts);
