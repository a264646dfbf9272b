import { renewIfDue } from '../../billing/plan/renewal.js';
import { subscribedPlanId } from '../../billing/plan/subscribed-plan-id.js';
import { BillingResponse } from '../../schema/portal/billing.js';
import { selectBilling } from '../../store/access/organization.js';
import { operation } from '../http/operation.js';

export const billing = operation({
  id: 'billing',
  path: '/portal/organization/billing',
  tags: ['portal', 'organization'],
  title: 'Get the billing record',
  summary: 'Read the billing and subscription record of the calling organization.',
  cost: { fixed: 0 },
  scope: 'portal',
  response: BillingResponse,
  errors: [400, 403, 404, 500],
  handle: async ({ caller }, { db, plans, money, clock }): Promise<BillingResponse> => {
    const { organizationId } = caller;
    // A period that ended since the last run of the renewal job must not be reported as the current one.
    await renewIfDue(money, organizationId, new Date(clock()));
    const record = await selectBilling(db, organizationId);
    const { status } = record;
    const planId = subscribedPlanId(record);
    const effective = plans.byId(planId);
    const isSubscribed = planId !== null;
    return {
      auth_provider_organization_id: organizationId,
      organization_name: record.name,
      organization_status: record.organizationStatus,
      billing_email: record.billingEmail,
      effective_plan: effective.id,
      plan_tier: isSubscribed ? effective.tier : null,
      product_category: isSubscribed ? effective.category : null,
      product_name: isSubscribed ? effective.name : null,
      has_active_subscription: isSubscribed && (status === 'active' || status === 'trialing'),
      is_trialing: isSubscribed && status === 'trialing',
      subscription_status: status,
      subscription_start: isSubscribed ? record.periodStart.toISOString() : null,
      subscription_end: isSubscribed ? record.periodEnd.toISOString() : null,
      payment_customer_id: record.customerId,
      payment_product_id: record.productId ?? (isSubscribed ? (effective.paymentProductId ?? null) : null),
      payment_subscription_id: record.providerSubscriptionId,
    };
  },
});
