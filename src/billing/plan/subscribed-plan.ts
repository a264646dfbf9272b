import { ConfigError } from '../../config/reader.js';
import type { Database } from '../../db/database.js';
import { selectSubscribedPlans } from '../../store/billing/subscription.js';
import type { Plans } from './plan.js';

/**
 * Checks that the file has every plan that an organization has or changes to. Otherwise the organization would get the
 * limits of the default plan while it pays for another one.
 *
 * @throws ConfigError with the ids of the missing plans
 */
export const requireSubscribedPlans = async (db: Database, plans: Plans): Promise<void> => {
  const subscribed = await selectSubscribedPlans(db);
  const gone = subscribed.filter(({ planId }) => !plans.all.some(({ id }) => id === planId));
  if (gone.length === 0) return;
  const listed = gone.map(({ planId, organizations }) => `${planId} (${organizations})`).join(', ');
  const problem = `the plans lack some that organizations have: ${listed}. Bring them back, with "offered": false if nobody else should have them, or change those organizations with \`castellan org plan\` first.`;
  throw new ConfigError([{ variable: 'CASTELLAN_PLANS_FILE', problem }]);
};
