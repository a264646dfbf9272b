import { selectQuery } from '../query-function.js';

/**
 * @returns an organization as the payment provider bills it, with the provider's names, without a subscription that has
 *   ended; undefined for an unknown one
 */
export const selectBillingContact = selectQuery(
  'select_billing_contact',
  `select o.name, o.billing_email as "billingEmail", s.customer_id as "customerId",
         case when s.status is distinct from 'canceled' then s.provider_subscription_id end as "subscriptionId"
    from organization o join subscription s on s.organization_id = o.id where o.id = :organizationId`,
).first((organizationId: string) => ({ organizationId }));
