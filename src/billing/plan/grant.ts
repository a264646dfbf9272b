import { AppError, invalidField, notFound } from '../../error.js';
import { insertAuditEntry } from '../../store/audit-log.js';
import { isChangeUnderway } from '../../store/plan-change.js';
import { selectSubscriptionForUpdate, updateSubscription } from '../../store/subscription.js';
import type { MoneyParts } from '../money-parts.js';
import type { Plan } from './plan.js';
import { isKeptOutside, renewLocked } from './renewal.js';
import { lockSubscription } from './subscription-lock.js';

/**
 * Gives an organization a plan at once, for the rest of its running period: an operator's decision that no money moves
 * for. What it paid for the period stays the most that is ever credited for it. The next period is invoiced at the
 * plan's price; a plan whose price is 0 is never invoiced.
 *
 * @throws AppError 'not_found' for an unknown organization, 'invalid' for the plan that it has, 'conflict' while a
 * change is under way or where the payment provider keeps the subscription and would go on billing the old plan
 */
export const grantPlan = (
  parts: Pick<MoneyParts, 'db' | 'plans' | 'settlement'>,
  grant: { readonly organizationId: string; readonly plan: Plan; readonly now: Date },
): Promise<void> =>
  parts.db.transaction(async (session) => {
    const { organizationId, plan, now } = grant;
    const { plans } = parts;
    const found = await lockSubscription(session, organizationId);
    if (found === undefined) throw notFound(`There is no organization ${organizationId}.`, 'organization');
    if (await isChangeUnderway(session, organizationId)) {
      const message = 'A change of the plan is under way. Try again when it is done, in a minute at most.';
      throw new AppError('conflict', 'ChangeUnderway', message);
    }
    if (isKeptOutside(found)) {
      const message = `The subscription is kept by ${found.provider}, which would go on billing it. End it there first, or change the plan without a grant.`;
      throw new AppError('conflict', 'KeptByProvider', message);
    }
    const isRenewed = await renewLocked(parts, session, found, now);
    const row = (isRenewed && (await selectSubscriptionForUpdate(session, organizationId))) || found;
    const isDefault = plan.id === plans.fallback.id;
    const before = row.status === 'canceled' ? null : row.planId;
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
      organizationId,
      keyId: null,
      action: 'plan.granted',
      detail: { fromPlanId: before, toPlanId: isDefault ? null : plan.id },
      requestId: null,
      at: now,
    });
  });
