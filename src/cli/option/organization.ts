import type { BillingDependencies } from '../../billing/plan/dependencies.js';
import type { PlanLimits } from '../../billing/plan/limit.js';
import type { Plan, Plans } from '../../billing/plan/plan.js';
import type { StoreConfig } from '../../config/config.js';
import type { Database } from '../../db/database.js';
import { isUuid } from '../../uuid.js';
import { type CommandContext, UsageError } from '../terminal/command.js';

const MAX_EMAIL = 254;

/** @throws UsageError for anything but an id */
export const readOrganizationId = (text: unknown): string => {
  if (isUuid(text)) return text.toLowerCase();
  throw new UsageError(`"${String(text)}" is no id of an organization: \`castellan org list\` shows them.`);
};

/** @throws UsageError for an invalid address */
export const readEmail = (text: unknown): string => {
  const email = String(text).trim();
  if (email.length <= MAX_EMAIL && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return email;
  throw new UsageError(`--email takes an address like billing@example.com, not "${email}".`);
};

/** @returns the billing service that the running service has, too */
export const openBilling = async ({ config }: CommandContext, db: Database): Promise<BillingDependencies> => {
  const [{ createBillingService }, { readPlans }] = await Promise.all([
    import('../../billing/billing-service.js'),
    import('../../billing/plan/plan.js'),
  ]);
  return createBillingService({
    db,
    plans: readPlans(config.billing),
    payment: config.billing.payment,
    clock: Date.now,
    // Commands do not know the address of the service.
    returnUrl: 'https://stripe.com',
    warn: () => undefined,
  });
};

/** @returns the plan with an id or a name, also one that is not offered. @throws UsageError for an unknown one */
export const findPlan = (plans: Plans, word: string): Plan => {
  const plan = plans.find(word.trim());
  if (plan) return plan;
  throw new UsageError(`There is no plan "${word}": the plans are ${plans.all.map(({ id }) => id).join(', ')}.`);
};

/** @returns what plans allow, as the running service has it */
export const openPlanLimits = async ({ billing }: StoreConfig): Promise<PlanLimits> => {
  const [{ createPlanLimits }, { readPlans }] = await Promise.all([
    import('../../billing/plan/limit.js'),
    import('../../billing/plan/plan.js'),
  ]);
  return createPlanLimits(readPlans(billing), billing.quotaMode === 'enforce');
};
