import type { Database } from '../store/database.js';
import { type LeaseStanding, lockSubscriptions, selectLeaseStandings, upsertLeases } from '../store/unit-lease.js';
import { type UsageBatch, type UsedUnits, upsertUsage } from '../store/usage.js';
import type { Plans } from './plan.js';
import { grantOf, type Wanted } from './quota.js';

/** A lease that was not renewed comes back after this time. */
export const LEASE_MS = 30_000;

/** What a process holds of an organization's units, and what it wants on top. */
export interface LeaseRequest extends Wanted {
  readonly organizationId: string;
  /** Units that it goes on holding: unspent ones, those of calls under way, those counted and not written. */
  readonly kept: number;
}

/** How an organization stands after an exchange. */
export interface Leased extends LeaseStanding {
  /** Units that the process got on top of what it kept. */
  readonly granted: number;
  /** Units that nobody has used or holds; 0 at least. */
  readonly left: number;
}

export interface Exchanged {
  /** Of every organization in the batch. */
  readonly written: readonly UsedUnits[];
  /** Of every organization that a lease was asked for. */
  readonly leased: readonly Leased[];
}

const lease = (standing: LeaseStanding, request: LeaseRequest, plans: Plans): Leased => {
  const most = plans.byId(standing.planId).units ?? Number.MAX_SAFE_INTEGER;
  const left = Math.max(0, most - standing.usedUnits - standing.heldByOthers - request.kept);
  const granted = grantOf(left, request);
  return { ...standing, granted, left: left - granted };
};

/**
 * Writes a batch of use and changes what the process holds, in one transaction under the locks of the subscriptions.
 * What is held is written as it is, not by how much it changes: an exchange whose outcome nobody heard of is simply
 * made again, with what is held then. Without requests it is the one statement that writes use.
 */
export const exchangeUnits = (
  parts: { readonly db: Database; readonly plans: Plans; readonly processId: string },
  exchange: {
    readonly batch: UsageBatch | undefined;
    readonly requests: readonly LeaseRequest[];
    /** Unix milliseconds. */
    readonly now: number;
  },
): Promise<Exchanged> => {
  const { batch, requests, now } = exchange;
  const { processId, plans } = parts;
  const ids = requests.map(({ organizationId }) => organizationId);
  return parts.db.transaction(async (session) => {
    if (ids.length > 0) {
      const used = batch?.rows.map(({ organizationId }) => organizationId) ?? [];
      await lockSubscriptions(session, [...new Set([...ids, ...used])]);
    }
    const written = batch === undefined ? [] : await upsertUsage(session, batch);
    if (ids.length === 0) return { written, leased: [] };
    const standings = await selectLeaseStandings(session, processId, ids, new Date(now));
    const byId = new Map(standings.map((standing) => [standing.organizationId, standing]));
    const held: { organizationId: string; units: number; heldByOthers: number }[] = [];
    const leased: Leased[] = [];
    for (const request of requests) {
      const standing = byId.get(request.organizationId);
      if (standing === undefined) continue;
      const one = lease(standing, request, plans);
      leased.push(one);
      const { organizationId, heldByOthers } = standing;
      held.push({ organizationId, units: request.kept + one.granted, heldByOthers });
    }
    await upsertLeases(session, processId, held, new Date(now + LEASE_MS));
    return { written, leased };
  });
};
