import type { UsedUnits } from '../store/usage.js';
import type { Standing } from './meter.js';
import type { Plans } from './plan/plan.js';
import { blockOf, unitsUsedUp } from './quota.js';
import { LEASE_MS, type Leased } from './unit-exchange.js';
import type { WaitingCall } from './waiting-call.js';

/** Of a lease's time: this long before it lapses it counts as lapsed here, as other processes' clocks may be ahead. */
const CLOCK_MARGIN_MS = 10_000;
/** A lease with less time left than this is renewed. */
const RENEW_MS = 10_000;
/** Unspent units go back when no call took any for this long. */
const IDLE_MS = 1000;
/** With less than this part of a block the next one is asked for. */
const LOW_PART = 4;
/** A refusal stands this long without asking the database again, so that refused calls do not flood it. */
const REFUSAL_MS = 250;
const RENEWAL_RETRY_MS = 1000;

/** What one organization uses and holds in this process, in compute units. Tells itself how it stands: that is asked for each call. */
export class OrganizationUse implements Standing {
  readonly id: string;
  readonly #plans: Plans;
  /** As the database told it last. */
  #known: UsedUnits | undefined;
  /** Of its plan then; null: unlimited. */
  limit: number | null = null;
  /** Counted, in no batch yet. */
  pending = 0;
  /** In the batch that is being written. */
  writing = 0;
  /** Of calls that are answered now. */
  busy = 0;
  /** Held, for calls to come. */
  free = 0;
  /** Whether the database may have a lease of this process. */
  isLeased = false;
  waiting: WaitingCall[] = [];
  /** While its next period is begun. */
  isRenewing = false;
  /** Whether a call came since `calledAt` was last set. */
  isCalled = false;
  /** By the clock that never jumps; to the second. */
  calledAt = 0;
  #trustedUntil = 0;
  #left = 0;
  /** Units held below which it is time for the next block; 0 where blocks are no longer given. */
  #low = 0;
  #drawnAt = 0;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #refused: { readonly units: number; readonly until: number } | undefined;

  constructor(id: string, plans: Plans) {
    this.id = id;
    this.#plans = plans;
  }

  /** @returns undefined until the database was first heard of */
  standing(): Standing | undefined {
    return this.#known === undefined ? undefined : this;
  }

  get used(): number {
    return (this.#known?.usedUnits ?? 0) + this.writing + this.pending + this.busy;
  }

  get resetsAt(): Date {
    return this.#known?.periodEnd ?? new Date(0);
  }

  /** @returns whether what is held may be spent without asking */
  mayDraw(now: number): boolean {
    return now < this.#trustedUntil;
  }

  /** Takes units from what is held. @returns whether there were enough */
  draw(units: number): boolean {
    if (units > this.free) return false;
    this.free -= units;
    this.busy += units;
    this.#drawnAt = performance.now();
    return true;
  }

  /** Whether so little is held that more should be asked for before calls have to wait for it. */
  get isLow(): boolean {
    return this.free < this.#low;
  }

  /** @returns the error for so many units, if they were refused a moment ago */
  recentRefusal(units: number): Error | undefined {
    const refused = this.#refused;
    if (refused === undefined || units < refused.units || performance.now() >= refused.until) return undefined;
    return this.refuse(units);
  }

  /** Takes note that so many units were refused. @returns the error */
  refuse(units: number): Error {
    const { limit } = this;
    const known = this.#known;
    if (known === undefined || limit === null) return new Error('units of a plan without limit were refused');
    if (this.#refused === undefined || units < this.#refused.units) {
      this.#refused = { units, until: performance.now() + REFUSAL_MS };
    }
    return unitsUsedUp({ used: limit - this.#left - this.free, limit, units, resetsAt: known.periodEnd });
  }

  /** Takes in how the organization stands. */
  learn(known: UsedUnits): void {
    const old = this.#known;
    // Another plan or another period is a new chance at once.
    if (old?.planId !== known.planId || old.periodEnd.getTime() !== known.periodEnd.getTime())
      this.#refused = undefined;
    this.#known = known;
    this.limit = this.#plans.byId(known.planId).units;
  }

  /** Takes in a lease that was asked for at `now`. */
  take(leased: Leased, kept: number, now: number): void {
    this.learn(leased);
    this.#left = leased.left;
    this.#low = blockOf(leased.left) / LOW_PART;
    this.free += leased.granted;
    this.isLeased = kept + leased.granted > 0;
    this.#refused = undefined;
    const lapses = now + LEASE_MS - CLOCK_MARGIN_MS;
    const end = leased.periodEnd.getTime();
    // What is held of a period that is over is asked for again.
    this.#trustedUntil = end > now ? Math.min(lapses, end) : lapses;
  }

  /** Units held that should go back: all when the lease has lapsed or nobody calls, else what is more than a block. */
  surplus(now: number): number {
    const isIdle = performance.now() - this.#drawnAt > IDLE_MS;
    if (now >= this.#trustedUntil || (isIdle && this.waiting.length === 0)) return this.free;
    return this.waiting.length > 0 ? 0 : Math.max(0, this.free - blockOf(this.#left));
  }

  /** Whether what is left of the block should become a whole one: calls spend it, and none of them waits yet. */
  needsRefill(now: number): boolean {
    return this.free > 0 && this.isLow && this.waiting.length === 0 && this.surplus(now) === 0;
  }

  /** Whether the lease should be looked after although nobody waits for it. */
  needsCare(now: number): boolean {
    return this.isLeased && (this.surplus(now) > 0 || this.#trustedUntil - now < RENEW_MS);
  }

  /** Whether its period is over, as far as is known, and its next one should be begun. Says so once a second at most. */
  needsRenewal(now: number): boolean {
    if (this.isRenewing || this.#known === undefined || now < this.#known.periodEnd.getTime()) return false;
    const at = performance.now();
    if (at - this.#renewedAt < RENEWAL_RETRY_MS) return false;
    this.#renewedAt = at;
    return true;
  }

  /** Whether there is nothing to remember. */
  get isAtRest(): boolean {
    const units = this.pending + this.writing + this.busy + this.free;
    return units === 0 && !this.isLeased && !this.isRenewing && this.waiting.length === 0;
  }
}
