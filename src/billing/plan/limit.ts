import type { Session } from '../../db/statement.js';
import { AppError } from '../../error.js';
import { selectAppCount, selectWebhookCount } from '../../store/billing/plan-limit.js';
import type { Plan, Plans } from './plan.js';
import { subscribedPlanId } from './subscribed-plan-id.js';
import { lockSubscription } from './subscription-lock.js';

/** How many apps and webhooks the organizations may have by their plans. Call it in the transaction of the insertion. */
export interface PlanLimits {
  /** @throws AppError 'payment_required' if the plan has no room for another app */
  requireApp(session: Session, organizationId: string): Promise<void>;
  /** @throws AppError 'payment_required' if the plan has no room for another webhook */
  requireWebhook(session: Session, organizationId: string): Promise<void>;
}

/** @param enforces whether plans limit anything (CASTELLAN_QUOTA_MODE) */
export const createPlanLimits = (plans: Plans, enforces: boolean): PlanLimits => {
  const requireRoom = async (
    session: Session,
    organizationId: string,
    what: { limitOf: (plan: Plan) => number | null; count: typeof selectAppCount; word: string },
  ): Promise<void> => {
    if (!enforces) return;
    // Until the transaction ends, so that two insertions at once are counted one after the other.
    const subscription = await lockSubscription(session, organizationId);
    const plan = plans.byId(subscribedPlanId(subscription));
    const limit = what.limitOf(plan);
    if (limit === null || (await what.count(session, organizationId)) < limit) return;
    const has = `The plan ${plan.name} has room for ${limit} ${what.word}${limit === 1 ? '' : 's'}, and all are there`;
    throw new AppError('payment_required', 'PlanLimitReached', `${has}: remove one, or change the plan.`);
  };
  return {
    requireApp: (session, organizationId) =>
      requireRoom(session, organizationId, { limitOf: ({ apps }) => apps, count: selectAppCount, word: 'app' }),
    requireWebhook: (session, organizationId) =>
      requireRoom(session, organizationId, {
        limitOf: ({ webhooks }) => webhooks,
        count: selectWebhookCount,
        word: 'webhook',
      }),
  };
};
