import { selectQuery, writeQuery } from '../query-function.js';

/** @returns the organization that the payment provider knows under this name. */
export const selectOrganizationByCustomer = selectQuery(
  'select_organization_by_customer',
  'select organization_id as id from subscription where customer_id = :customerId',
).value('id', (customerId: string) => ({ customerId }));

/** Stores the name that the payment provider gave to an organization. */
export const updateCustomer = writeQuery(
  'update_customer',
  'update subscription set customer_id = :customerId where organization_id = :organizationId',
).done((organizationId: string, customerId: string) => ({ organizationId, customerId }));

/** The same for an organization that has no such name yet. @returns whether there is one of that id, without a name */
export const updateFirstCustomer = writeQuery(
  'update_first_customer',
  `update subscription set customer_id = :customerId where organization_id = :organizationId and customer_id is null
    returning organization_id as "organizationId"`,
).hasRows((organizationId: string, customerId: string) => ({ organizationId, customerId }));

/** @returns the number of updates from the provider; undefined for an unknown organization. */
export const selectProviderVersion = selectQuery(
  'select_provider_version',
  'select provider_version as version from subscription where organization_id = :organizationId',
).value('version', (organizationId: string) => ({ organizationId }));

/** Counts an update from the provider. @param eventAt time of its event; null: the state was fetched */
export const updateProviderVersion = writeQuery(
  'update_provider_version',
  `update subscription
      set provider_version = provider_version + 1, provider_event_at = greatest(provider_event_at, :eventAt?::timestamptz)
    where organization_id = :organizationId`,
).done((organizationId: string, eventAt: Date | null) => ({ organizationId, eventAt }));

/** @returns whether a plan change of this id was ever begun for the organization. */
export const isOwnChange = selectQuery(
  'is_own_change',
  'select from plan_change where organization_id = :organizationId and id::text = :id',
).hasRows((organizationId: string, id: string) => ({ organizationId, id }));
