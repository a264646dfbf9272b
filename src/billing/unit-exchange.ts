import type { Database, Session } from '../store/database.js';
import { isLockedTooLong } from '../store/failure.js';
import {
  type LeaseStanding,
  lockFreeSubscriptions,
  lockSubscriptions,
  selectLeaseStandings,
  upsertLeases,
} from '../store/unit-lease.js';
import { addWaitingUsage, type UsageBatch, type UsedUnits, upsertUsage } from '../store/usage.js';
import type { Plans } from './plan/plan.js';
import { grantOf, type Wanted } from './quota.js';

/** A lease that was not renewed comes back after this time. */
export const LEASE_MS = 30_000;

/**
 * How long an exchange waits for a subscription that somebody else has locked, in milliseconds. Other processes and
 * changes of plans hold it for a few; who holds it longer must not keep all other organizations waiting.
 */
const LOCK_WAIT_MS = 300;

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
  /** Of every organization that a lease was asked for, but those that are locked. */
  readonly leased: readonly Leased[];
  /** Organizations whose subscription somebody else has locked: of their leases nothing has changed. */
  readonly locked: ReadonlySet<string>;
}

interface ExchangeParts {
  readonly db: Database;
  readonly plans: Plans;
  readonly processId: string;
}

interface Exchange {
  readonly batch: UsageBatch | undefined;
  readonly requests: readonly LeaseRequest[];
  /** Unix milliseconds. */
  readonly now: number;
}

const lease = (standing: LeaseStanding, request: LeaseRequest, plans: Plans): Leased => {
  const most = plans.byId(standing.planId).units ?? Number.MAX_SAFE_INTEGER;
  const left = Math.max(0, most - standing.usedUnits - standing.heldByOthers - request.kept);
  const granted = grantOf(left, request);
  return { ...standing, granted, left: left - granted };
};

/** Changes the leases of subscriptions that are locked by this transaction. */
const changeLeases = async (
  { plans, processId }: ExchangeParts,
  session: Session,
  requests: readonly LeaseRequest[],
  now: number,
): Promise<Leased[]> => {
  if (requests.length === 0) return [];
  const ids = requests.map(({ organizationId }) => organizationId);
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
  return leased;
};

/** @param locked organizations that this transaction could not lock */
const exchangeLocked = async (
  parts: ExchangeParts,
  session: Session,
  { batch, requests, now }: Exchange,
  locked: readonly string[],
): Promise<Exchanged> => {
  const used = batch === undefined ? { written: [], locked: [] } : await upsertUsage(session, batch);
  const passed = new Set([...locked, ...used.locked]);
  const free = requests.filter(({ organizationId }) => !passed.has(organizationId));
  return { written: used.written, leased: await changeLeases(parts, session, free, now), locked: passed };
};

/** Writes use where nothing is leased: all of it at once, then what others had locked for a moment. */
const writeUse = async (parts: ExchangeParts, exchange: Exchange): Promise<Exchanged> => {
  const { db } = parts;
  const done = await db.transaction((session) => exchangeLocked(parts, session, exchange, []));
  if (done.locked.size === 0) return done;
  try {
    await db.transaction(async (session) => {
      await lockSubscriptions(session, [...done.locked], LOCK_WAIT_MS);
      await addWaitingUsage(session, new Date(exchange.now));
    });
  } catch (error) {
    // It waits on, with the next exchange or the job that looks after leases.
    if (!isLockedTooLong(error)) throw error;
  }
  return done;
};

/**
 * Writes a batch of use and changes what the process holds, in one transaction under the locks of the subscriptions.
 * What is held is written as it is, not by how much it changes: an exchange whose outcome nobody heard of is simply
 * made again, with what is held then. Without requests it is the one statement that writes use.
 *
 * Who has locked a subscription is waited for, but not for long, and without holding those that are free. Then all else
 * is done, and the use of what is locked is left to be added later.
 */
export const exchangeUnits = async (parts: ExchangeParts, exchange: Exchange): Promise<Exchanged> => {
  const { db } = parts;
  const { batch, requests } = exchange;
  if (requests.length === 0) return writeUse(parts, exchange);
  const ids = [...new Set([...requests, ...(batch?.rows ?? [])].map(({ organizationId }) => organizationId))];
  const first = await db.transaction(async (session) => {
    const locked = await lockFreeSubscriptions(session, ids);
    return locked.length === 0 ? exchangeLocked(parts, session, exchange, locked) : { awaited: locked };
  });
  if ('written' in first) return first;
  const exchangeFree = async (session: Session): Promise<Exchanged> =>
    exchangeLocked(parts, session, exchange, await lockFreeSubscriptions(session, ids));
  try {
    return await db.transaction(async (session) => {
      await lockSubscriptions(session, first.awaited, LOCK_WAIT_MS);
      return exchangeFree(session);
    });
  } catch (error) {
    if (!isLockedTooLong(error)) throw error;
    return db.transaction(exchangeFree);
  }
};
