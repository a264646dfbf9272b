import type { Session } from './database.js';

export interface App {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** The app's own account; null when it has none. */
  readonly fid: number | null;
}

/** @returns the stored app; undefined when its id exists already (it is left as it is). */
export const insertApp = async (
  session: Session,
  app: { readonly id?: string; readonly organizationId: string; readonly name: string; readonly fid?: number },
): Promise<App | undefined> =>
  session.kysely
    .insertInto('app')
    .values({
      ...(app.id === undefined ? {} : { id: app.id }),
      organization_id: app.organizationId,
      name: app.name,
      fid: app.fid ?? null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(['id', 'organization_id as organizationId', 'name', 'fid'])
    .executeTakeFirst();

/** @returns the app of that id; undefined when there is none. */
export const selectApp = async (session: Session, id: string): Promise<App | undefined> =>
  session.kysely
    .selectFrom('app')
    .select(['id', 'organization_id as organizationId', 'name', 'fid'])
    .where('id', '=', id)
    .executeTakeFirst();
