import type { UsageBatch, UsedUnits } from '../../store/billing/usage.js';
import type { Plans } from '../plan/plan.js';
import type { Usage } from './meter.js';
import { UsageBuffer } from './usage-buffer.js';

/** The sums of organizations that were called within this time are read every second. */
const ACTIVE_MS = 10_000;
/** Idle time after which an organization is evicted from memory. */
const EVICTION_MS = 600_000;
const RENEWAL_RETRY_MS = 1000;

/** Compute units of one organization in this process. */
export class OrganizationUsage implements Usage {
  readonly id: string;
  readonly #plans: Plans;
  /** Last known sums of all processes. */
  #known: UsedUnits | undefined;
  /** Compute units of the plan in a period; null: unlimited. */
  limit: number | null = null;
  /** Counted since the last batch. */
  readonly buffer = new UsageBuffer();
  /** Batch that is not known to be stored. */
  batch: (UsageBatch & { readonly units: number }) | undefined;
  /** Compute units of calls in progress. */
  busy = 0;
  /** The load that calls wait for, where one is in progress. */
  loading: Promise<void> | undefined;
  /** Time of the last call on the monotonic clock, in milliseconds. */
  #calledAt = Number.NEGATIVE_INFINITY;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(id: string, plans: Plans) {
    this.id = id;
    this.#plans = plans;
  }

  get isKnown(): boolean {
    return this.#known !== undefined;
  }

  get used(): number {
    return (this.#known?.usedUnits ?? 0) + this.unwritten + this.busy;
  }

  get resetsAt(): Date {
    return this.#known?.periodEnd ?? new Date(0);
  }

  /** Compute units that are counted and not known to be stored. */
  get unwritten(): number {
    return (this.batch?.units ?? 0) + this.buffer.units;
  }

  /** @param at on the monotonic clock. @returns whether the known sums may be older than a few seconds */
  call(at: number): boolean {
    const wasActive = this.isActive(at);
    this.#calledAt = at;
    return !wasActive || this.#known === undefined;
  }

  isActive(at: number): boolean {
    return at - this.#calledAt <= ACTIVE_MS;
  }

  isEvictable(at: number): boolean {
    const isIdle = at - this.#calledAt > EVICTION_MS && this.busy === 0 && this.loading === undefined;
    return isIdle && this.batch === undefined && this.buffer.isEmpty;
  }

  update(known: UsedUnits): void {
    this.#known = known;
    this.limit = this.#plans.byId(known.planId).units;
  }

  /** @param now Unix milliseconds. @returns whether the period ended and its renewal was not tried in the last second */
  isRenewalDue(now: number): boolean {
    if (this.#known === undefined || now < this.#known.periodEnd.getTime()) return false;
    return performance.now() - this.#renewedAt >= RENEWAL_RETRY_MS;
  }

  markRenewalTried(): void {
    this.#renewedAt = performance.now();
  }
}
