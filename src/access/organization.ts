import type { Database } from '../db/database.js';
import { notFound } from '../error.js';
import { type Actor, actorColumns, insertAuditEntry } from '../store/access/audit-log.js';
import {
  insertOrganization,
  type Organization,
  type OrganizationChange,
  updateOrganization,
} from '../store/access/organization.js';

/** @returns the error for an id that no organization has. */
export const noOrganization = (id: string): Error =>
  notFound(`There is no organization ${id}: \`castellan org list\` shows all.`, 'organization');

/** Makes an organization, which has the default plan and a first period of a month from now. */
export const makeOrganization = (
  db: Database,
  options: { readonly name: string; readonly billingEmail?: string; readonly actor?: Actor; readonly now: Date },
): Promise<Organization> => {
  const { name, billingEmail, actor, now } = options;
  return db.transaction(async (session) => {
    const made = (await insertOrganization(session, {
      name,
      createdAt: now,
      ...(billingEmail === undefined ? {} : { billingEmail }),
    })) as Organization;
    await insertAuditEntry(session, {
      ...actorColumns(actor),
      organizationId: made.id,
      action: 'organization.made',
      detail: { name, billingEmail: billingEmail ?? null },
      at: now,
    });
    return made;
  });
};

/**
 * Changes an organization; running services apply it within a second. Keys of an inactive organization are rejected.
 *
 * @param change absent members remain unchanged
 * @throws AppError 'not_found' for an unknown organization
 */
export const changeOrganization = (
  db: Database,
  change: OrganizationChange & { readonly id: string; readonly actor?: Actor; readonly now: Date },
): Promise<Organization> =>
  db.transaction(async (session) => {
    const { id, actor, now, ...columns } = change;
    const changed = await updateOrganization(session, id, columns);
    if (changed === undefined) throw noOrganization(id);
    await insertAuditEntry(session, {
      ...actorColumns(actor),
      organizationId: id,
      action: 'organization.changed',
      detail: { ...columns },
      at: now,
    });
    return changed;
  });
