import type { Session } from './database.js';

/** @returns the organization that the payment provider knows under this name. */
export const selectOrganizationByCustomer = async (
  session: Session,
  customerId: string,
): Promise<string | undefined> => {
  const rows = await session.select<{ id: string }>(
    'select organization_id as id from subscription where customer_id = $1',
    [customerId],
  );
  return rows[0]?.id;
};

/** Stores the name that the payment provider gave to an organization. */
export const updateCustomer = async (session: Session, organizationId: string, customerId: string): Promise<void> => {
  await session.run('update subscription set customer_id = $2 where organization_id = $1', [
    organizationId,
    customerId,
  ]);
};

/** The same for an organization that has no such name yet. @returns whether there is one of that id, without a name */
export const updateFirstCustomer = async (
  session: Session,
  organizationId: string,
  customerId: string,
): Promise<boolean> => {
  const rows = await session.run(
    `update subscription set customer_id = $2 where organization_id = $1 and customer_id is null
     returning organization_id`,
    [organizationId, customerId],
  );
  return rows.length > 0;
};

/** @returns how often something of the provider was taken in; undefined for an unknown organization. */
export const selectProviderVersion = async (session: Session, organizationId: string): Promise<number | undefined> => {
  const rows = await session.select<{ version: number }>(
    'select provider_version as version from subscription where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.version;
};

/** Notes that the provider's state was taken in. @param eventAt of the event that told of it; null: it was asked for */
export const updateProviderVersion = async (
  session: Session,
  organizationId: string,
  eventAt: Date | null,
): Promise<void> => {
  await session.run(
    `update subscription
        set provider_version = provider_version + 1, provider_event_at = greatest(provider_event_at, $2::timestamptz)
      where organization_id = $1`,
    [organizationId, eventAt],
  );
};

/** @returns the id of the plan change of an organization that is under way. */
export const selectChangeUnderway = async (session: Session, organizationId: string): Promise<string | undefined> => {
  const rows = await session.select<{ id: string }>(
    "select id from plan_change where organization_id = $1 and state in ('pending', 'charged')",
    [organizationId],
  );
  return rows[0]?.id;
};

/** @returns whether a plan change of this id was ever begun for the organization. */
export const isOwnChange = async (session: Session, organizationId: string, id: string): Promise<boolean> =>
  (await session.select('select from plan_change where organization_id = $1 and id::text = $2', [organizationId, id]))
    .length > 0;
