import { MINUTE_MS } from '../duration.js';
import { deleteOldPlanPreviews } from '../store/billing/plan-preview.js';
import { selectEndedSubscriptions } from '../store/billing/subscription.js';
import { PREVIEW_MS } from './plan/change-quote.js';
import { recoverChanges } from './plan/change-recovery.js';
import type { BillingDependencies } from './plan/dependencies.js';
import { isProviderManaged, renewIfDue } from './plan/renewal.js';

/** Subscriptions read at once. */
const PAGE = 500;
/** How long to wait for a provider's renewal event before its state is fetched. */
const WAIT_TIMEOUT_MS = 10 * MINUTE_MS;

interface JobDependencies {
  readonly money: BillingDependencies;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Called with the error of one organization, which is retried a minute later. */
  readonly failed: (error: unknown, of: { readonly organizationId: string }) => void;
}

/** Begins all periods that are due, and fetches the state of renewals whose event is missing. */
export const renewAll = async ({ money, clock, failed }: JobDependencies, signal?: AbortSignal): Promise<void> => {
  const now = new Date(clock());
  const { db, provider } = money;
  for (let after: string | null = null; ; ) {
    const page = await selectEndedSubscriptions(db, { now, after, limit: PAGE });
    for (const row of page) {
      signal?.throwIfAborted();
      const { organizationId } = row;
      try {
        if (!isProviderManaged(row)) await renewIfDue(money, organizationId, now);
        else if (row.provider === provider.name && now.getTime() - row.periodEnd.getTime() > WAIT_TIMEOUT_MS) {
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

export const billingJobs = (deps: JobDependencies) => [
  {
    name: 'resolve-plan-changes',
    everyMs: MINUTE_MS,
    run: (signal: AbortSignal) =>
      recoverChanges(deps.money, { now: new Date(deps.clock()), failed: deps.failed, signal }),
  },
  {
    name: 'renew-periods',
    everyMs: MINUTE_MS,
    run: async (signal: AbortSignal) => {
      await renewAll(deps, signal);
      await deleteOldPlanPreviews(deps.money.db, new Date(deps.clock() - PREVIEW_MS));
    },
  },
];
