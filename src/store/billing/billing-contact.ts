import { selectQuery } from '../query-function.js';

/** An organization as the payment provider bills it. */
export interface BillingContact {
  readonly name: string;
  readonly billingEmail: string | null;
  /** The provider's names; a subscription that has ended is left out. */
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
}

/** @returns undefined for an unknown organization. */
export const selectBillingContact = selectQuery<BillingContact>(
  'select_billing_contact',
  `select o.name, o.billing_email as "billingEmail", s.customer_id as "customerId",
         case when s.status is distinct from 'canceled' then s.provider_subscription_id end as "subscriptionId"
    from organization o join subscription s on s.organization_id = o.id where o.id = $1`,
).first((organizationId: string) => [organizationId]);
