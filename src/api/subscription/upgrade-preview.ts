import Type from 'typebox';
import { previewChange } from '../../billing/plan/change.js';
import { ProductCategory, UpgradePreviewResponse } from '../../schema/portal/billing.js';
import { operation } from '../http/operation.js';
import { dollars, unitLimit } from './dollar.js';
import { requestedPlan } from './requested-plan.js';

export const upgradePreview = operation({
  id: 'upgrade-preview',
  path: '/portal/subscription/upgrade/preview',
  tags: ['portal', 'subscription'],
  title: 'Preview a plan change',
  summary: 'Work out credit and charge of a plan change without applying it; an upgrade soon after costs just that.',
  cost: { fixed: 0 },
  scope: 'portal',
  query: Type.Object({ newPlan: Type.String(), productCategory: Type.Optional(ProductCategory) }),
  parameters: {
    newPlan: { description: 'Id of the plan to change to.', example: 'starter' },
    productCategory: { description: 'The product that the plan belongs to.' },
  },
  response: UpgradePreviewResponse,
  errors: [400, 402, 404, 500],
  handle: async ({ query, caller }, { money, plans, clock }): Promise<UpgradePreviewResponse> => {
    const plan = requestedPlan(plans, query, caller);
    const { organizationId } = caller;
    const preview = await previewChange(money, { organizationId, plan, now: new Date(clock()) });
    const { currentPlan, newPlan, cost } = preview;
    const isLater = preview.kind !== 'upgrade';
    return {
      currentPlan: {
        name: currentPlan.name,
        price: dollars(preview.currentPriceCents),
        computeUnitsLimit: unitLimit(currentPlan.units),
        computeUnitsUsed: preview.usedUnits,
      },
      newPlan: {
        name: newPlan.name,
        price: dollars(preview.newPriceCents),
        computeUnitsLimit: unitLimit(newPlan.units),
      },
      credit: {
        unusedUnits: cost.unusedUnits,
        unitRate: preview.unitRate,
        creditAmount: dollars(cost.creditCents),
      },
      chargeAmount: dollars(cost.chargeCents),
      billingDateUnchanged: isLater,
      usageCarriesOver: isLater,
    };
  },
});
