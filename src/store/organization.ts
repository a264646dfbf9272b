import type { Session } from './database.js';

export interface Organization {
  readonly id: string;
  readonly name: string;
}

/** @returns the stored organization; an id that exists already is left as it is. */
export const insertOrganization = async (
  session: Session,
  organization: { readonly id?: string; readonly name: string },
): Promise<Organization | undefined> =>
  session.kysely
    .insertInto('organization')
    .values(organization)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(['id', 'name'])
    .executeTakeFirst();
