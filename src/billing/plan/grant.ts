import { AppError, invalidField, notFound } from '../../error.js';
import { type Actor, actorColumns, insertAuditEntry } from '../../store/access/audit-log.js';
import { hasOpenPlanChange } from '../../store/billing/plan-change.js';
import { selectSubscriptionForUpdate, updateSubscription } from '../../store/billing/subscription.js';
import type { BillingDependencies } from './dependencies.js';
import type { Plan } from './plan.js';
import { isProviderManaged, renewLocked } from './renewal.js';
import { subscribedPlanId } from './subscribed-plan-id.js';
import { lockSubscription } from './subscription-lock.js';

/**
 * Gives an organization a plan for the rest of its running period, without a payment. Credit for the period remains
 * limited to the amount that was paid for it. The next period is invoiced at the plan's price; a plan whose price is 0 is
 * never invoiced.
 *
 * @throws AppError 'not_found' for an unknown organization, 'invalid' for its current plan, 'conflict' while a change is
 * in progress or when the payment provider manages the subscription and would continue to bill the old plan
 */
export const grantPlan = (
  deps: Pick<BillingDependencies, 'db' | 'plans' | 'settlement'>,
  grant: { readonly organizationId: string; readonly plan: Plan; readonly actor?: Actor; readonly now: Date },
): Promise<void> =>
  deps.db.transaction(async (session) => {
    const { organizationId, plan, actor, now } = grant;
    const { plans } = deps;
    const found = await lockSubscription(session, organizationId);
    if (found === undefined) throw notFound(`There is no organization ${organizationId}.`, 'organization');
    if (await hasOpenPlanChange(session, organizationId)) {
      const message = 'A change of the plan is under way. Try again when it is done, in a minute at most.';
      throw new AppError('conflict', 'ChangeUnderway', message);
    }
    if (isProviderManaged(found)) {
      const message = `The subscription is kept by ${found.provider}, which would go on billing it. End it there first, or change the plan without a grant.`;
      throw new AppError('conflict', 'KeptByProvider', message);
    }
    const isRenewed = await renewLocked(deps, session, found, now);
    const row = (isRenewed && (await selectSubscriptionForUpdate(session, organizationId))) || found;
    const isDefault = plan.id === plans.fallback.id;
    const before = subscribedPlanId(row);
    if (row.nextPlanId === null && (isDefault ? before === null : before === plan.id)) {
      throw invalidField('plan', `The organization has the plan ${plan.name} already.`);
    }
    await updateSubscription(session, organizationId, {
      planId: isDefault ? null : plan.id,
      status: isDefault ? null : 'active',
      trialEnd: null,
      nextPlanId: null,
      provider: 'ledger',
    });
    await insertAuditEntry(session, {
      ...actorColumns(actor),
      organizationId,
      action: 'plan.granted',
      detail: { fromPlanId: before, toPlanId: isDefault ? null : plan.id },
      at: now,
    });
  });
