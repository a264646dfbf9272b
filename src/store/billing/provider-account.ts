import { execute, type Session, sql } from '../../db/statement.js';
import { hasRows } from '../table.js';

const selectOrganizationByCustomerSql = sql<{ id: string }>(
  'select_organization_by_customer',
  'select organization_id as id from subscription where customer_id = $1',
);

/** @returns the organization that the payment provider knows under this name. */
export const selectOrganizationByCustomer = async (session: Session, customerId: string): Promise<string | undefined> =>
  (await session.select(selectOrganizationByCustomerSql, [customerId]))[0]?.id;

const updateCustomerSql = sql('update_customer', 'update subscription set customer_id = $2 where organization_id = $1');

/** Stores the name that the payment provider gave to an organization. */
export const updateCustomer = (session: Session, organizationId: string, customerId: string): Promise<void> =>
  execute(session, updateCustomerSql, [organizationId, customerId]);

const updateFirstCustomerSql = sql(
  'update_first_customer',
  `update subscription set customer_id = $2 where organization_id = $1 and customer_id is null
    returning organization_id`,
);

/** The same for an organization that has no such name yet. @returns whether there is one of that id, without a name */
export const updateFirstCustomer = (session: Session, organizationId: string, customerId: string): Promise<boolean> =>
  hasRows(session.run(updateFirstCustomerSql, [organizationId, customerId]));

const selectProviderVersionSql = sql<{ version: number }>(
  'select_provider_version',
  'select provider_version as version from subscription where organization_id = $1',
);

/** @returns the number of updates from the provider; undefined for an unknown organization. */
export const selectProviderVersion = async (session: Session, organizationId: string): Promise<number | undefined> =>
  (await session.select(selectProviderVersionSql, [organizationId]))[0]?.version;

const updateProviderVersionSql = sql(
  'update_provider_version',
  `update subscription
      set provider_version = provider_version + 1, provider_event_at = greatest(provider_event_at, $2::timestamptz)
    where organization_id = $1`,
);

/** Counts an update from the provider. @param eventAt time of its event; null: the state was fetched */
export const updateProviderVersion = (session: Session, organizationId: string, eventAt: Date | null): Promise<void> =>
  execute(session, updateProviderVersionSql, [organizationId, eventAt]);

const isOwnChangeSql = sql('is_own_change', 'select from plan_change where organization_id = $1 and id::text = $2');

/** @returns whether a plan change of this id was ever begun for the organization. */
export const isOwnChange = (session: Session, organizationId: string, id: string): Promise<boolean> =>
  hasRows(session.select(isOwnChangeSql, [organizationId, id]));
