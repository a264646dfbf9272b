import { ConfigError } from '../../config/reader.js';
import type { Database } from '../../store/database.js';
import { selectSubscribedPlans } from '../../store/subscription.js';
import type { Plans } from './plan.js';

/**
 * An organization whose plan is gone from the file would silently have the default plan's limits while it pays for
 * another one, and nothing could be reckoned: that is told at the start, when the file was just changed.
 *
 * @throws ConfigError naming the plans that somebody has, or waits for, and that the file lacks
 */
export const requireSubscribedPlans = async (db: Database, plans: Plans): Promise<void> => {
  const subscribed = await selectSubscribedPlans(db);
  const gone = subscribed.filter(({ planId }) => !plans.all.some(({ id }) => id === planId));
  if (gone.length === 0) return;
  const listed = gone.map(({ planId, organizations }) => `${planId} (${organizations})`).join(', ');
  const problem = `the plans lack some that organizations have: ${listed}. Bring them back, with "offered": false if nobody else should have them, or change those organizations with \`castellan org plan\` first.`;
  throw new ConfigError([{ variable: 'PLANS_FILE', problem }]);
};
