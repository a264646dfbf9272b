import type { MoneyParts } from '../../billing/money-parts.js';
import type { Plan, Plans } from '../../billing/plan/plan.js';
import type { Database } from '../../store/database.js';
import { type CommandContext, UsageError } from '../command.js';
import { isUuid } from './uuid.js';

const MAX_NAME = 100;
const MAX_EMAIL = 254;

/** @returns the name of an organization. @throws UsageError for none, or a long one. */
export const readOrganizationName = (text: unknown): string => {
  const name = String(text).trim();
  if (name === '' || name.length > MAX_NAME) throw new UsageError(`A name has 1 to ${MAX_NAME} characters.`);
  return name;
};

/** @returns the id of an organization. @throws UsageError for anything else. */
export const readOrganizationId = (text: unknown): string => {
  if (isUuid(text)) return text.toLowerCase();
  throw new UsageError(`"${String(text)}" is no id of an organization: \`castellan org list\` shows them.`);
};

/** @returns an address that invoices go to. @throws UsageError for what cannot be one. */
export const readEmail = (text: unknown): string => {
  const email = String(text).trim();
  if (email.length <= MAX_EMAIL && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return email;
  throw new UsageError(`--email takes an address like billing@example.com, not "${email}".`);
};

/** @returns what changes of plans are made with, as the service has it. */
export const openMoney = async ({ config }: CommandContext, db: Database): Promise<MoneyParts> => {
  const [{ createMoney }, { readPlans }] = await Promise.all([
    import('../../billing/money.js'),
    import('../../billing/plan/plan.js'),
  ]);
  return createMoney({
    db,
    plans: readPlans(config.billing),
    payment: config.billing.payment,
    clock: Date.now,
    // Commands know no address of the service.
    returnUrl: 'https://stripe.com',
    warn: () => undefined,
  });
};

/** @returns the plan of an id or a name, those that are not offered included. @throws UsageError for an unknown one. */
export const findPlan = (plans: Plans, word: string): Plan => {
  const plan = plans.find(word.trim());
  if (plan) return plan;
  throw new UsageError(`There is no plan "${word}": the plans are ${plans.all.map(({ id }) => id).join(', ')}.`);
};
