import type { BillingServices } from '../api/http/service.js';
import { billingJobs } from '../billing/billing-job.js';
import { createBillingService } from '../billing/billing-service.js';
import { recoverChanges } from '../billing/plan/change-recovery.js';
import { createPlanLimits } from '../billing/plan/limit.js';
import type { Plans } from '../billing/plan/plan.js';
import { renewIfDue } from '../billing/plan/renewal.js';
import { noopMeter } from '../billing/usage/meter.js';
import { createMeter } from '../billing/usage/unit-meter.js';
import type { Config } from '../config/config.js';
import type { AppOptions } from './app-options.js';
import type { Base } from './base.js';

/** Plans, their payment, and the count of compute units. */
export const createBillingServices = async (
  { billing, publicUrl }: Pick<Config, 'billing' | 'publicUrl'>,
  { db, log, clock, metrics, timings }: Base,
  { plans, stripeAddress }: Pick<AppOptions, 'stripeAddress'> & { readonly plans: Plans },
) => {
  const money = await createBillingService({
    ...{ db, plans, clock, payment: billing.payment, returnUrl: publicUrl, stripeAddress },
    warn: (details, message) => log.warn(details, message),
  });
  const meter =
    billing.quotaMode === 'off'
      ? noopMeter
      : createMeter({
          ...{ db, plans, clock },
          flushMs: timings.usageMs,
          enforces: billing.quotaMode === 'enforce',
          renew: (organizationId) => renewIfDue(money, organizationId, new Date(clock())),
          counted: (operation, units) => metrics.computeUnits.inc({ operation }, units),
          failed: (error) => log.error({ err: error }, 'usage could not be written; it is retried'),
          lost: (units) => log.error({ units }, 'compute units were lost: they could not be written'),
        });
  const failed = (error: unknown, of: object): void =>
    log.error({ err: error, ...of }, 'the billing of an organization could not be looked after; it is tried again');
  const planLimits = createPlanLimits(plans, billing.quotaMode === 'enforce');
  const services: BillingServices = {
    meter,
    money,
    plans,
    planLimits,
    ...(money.events && { paymentEvents: money.events }),
  };
  return {
    services,
    jobs: billingJobs({ money, clock, failed }),
    /** Begins to finish the plan changes that the last process of an embedded database left. */
    recover: (): void => {
      // An embedded database has one process, so every change in progress was interrupted. Not awaited: a provider may
      // be down.
      if (db.kind !== 'embedded') return;
      const options = { now: new Date(clock()), isAlone: true, failed };
      void recoverChanges(money, options).catch((error: unknown) => failed(error, {}));
    },
  };
};
