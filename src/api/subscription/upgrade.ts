import { applyChange } from '../../billing/plan/change.js';
import { UpgradeReqBody, UpgradeResponse } from '../../schema/portal/billing.js';
import { operation } from '../http/operation.js';
import { dollars } from './dollar.js';
import { requestedPlan } from './requested-plan.js';

export const upgrade = operation({
  id: 'upgrade',
  method: 'POST',
  path: '/portal/subscription/upgrade',
  tags: ['portal', 'subscription'],
  title: 'Change the plan',
  summary:
    'Change the plan of the calling organization: to a more expensive one at once, to any other at the end of the period.',
  cost: { fixed: 0 },
  scope: 'portal',
  body: UpgradeReqBody,
  bodyExample: { newPlan: 'starter' },
  response: UpgradeResponse,
  errors: [400, 402, 404, 500],
  handle: async ({ id, body, caller }, { money, plans, clock }): Promise<UpgradeResponse> => {
    const plan = requestedPlan(plans, body, caller);
    const applied = await applyChange(money, {
      organizationId: caller.organizationId,
      plan,
      keyId: caller.keyId,
      requestId: id,
      now: new Date(clock()),
    });
    return {
      success: true,
      newPlan: applied.newPlan.name,
      creditApplied: dollars(applied.creditCents),
      chargeAmount: dollars(applied.chargeCents),
      effectiveImmediately: applied.kind !== 'downgrade',
    };
  },
});
