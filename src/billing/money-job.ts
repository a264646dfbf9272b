import { deleteOldPlanPreviews } from '../store/plan-preview.js';
import { selectEndedSubscriptions } from '../store/subscription.js';
import type { MoneyParts } from './money-parts.js';
import { PREVIEW_MS } from './plan/change-quote.js';
import { recoverChanges } from './recovery.js';
import { isKeptOutside, renewIfDue } from './plan/renewal.js';

const MINUTE_MS = 60_000;
/** Periods that are looked at at a time. */
const PAGE = 500;
/** How long an outside provider may take to tell that it renewed a subscription, before it is asked. */
const PATIENCE_MS = 10 * MINUTE_MS;

interface JobParts {
  readonly money: MoneyParts;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Told of what could not be done for one organization; it is tried again a minute later. */
  readonly failed: (error: unknown, of: { readonly organizationId: string }) => void;
}

/** Begins the periods that are due, everywhere; asks providers that should have told of theirs. */
export const renewAll = async ({ money, clock, failed }: JobParts, signal?: AbortSignal): Promise<void> => {
  const now = new Date(clock());
  const { db, provider } = money;
  for (let after: string | null = null; ; ) {
    const page = await selectEndedSubscriptions(db, { now, after, limit: PAGE });
    for (const row of page) {
      signal?.throwIfAborted();
      const { organizationId } = row;
      try {
        if (!isKeptOutside(row)) await renewIfDue(money, organizationId, now);
        else if (row.provider === provider.name && now.getTime() - row.periodEnd.getTime() > PATIENCE_MS) {
          await provider.catchUp?.(organizationId);
        }
      } catch (error) {
        failed(error, { organizationId });
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.organizationId;
  }
};

/** What is done about money without anybody asking. */
export const moneyJobs = (parts: JobParts) => [
  {
    name: 'resolve-plan-changes',
    everyMs: MINUTE_MS,
    run: (signal: AbortSignal) =>
      recoverChanges(parts.money, { now: new Date(parts.clock()), failed: parts.failed, signal }),
  },
  {
    name: 'renew-periods',
    everyMs: MINUTE_MS,
    run: async (signal: AbortSignal) => {
      await renewAll(parts, signal);
      await deleteOldPlanPreviews(parts.money.db, new Date(parts.clock() - PREVIEW_MS));
    },
  },
];
