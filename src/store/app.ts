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

/** @returns the domains that the app's users may sign in to, in lower case; none: any domain. */
export const selectSignInDomains = async (session: Session, appId: string): Promise<readonly string[]> =>
  (
    await session.kysely
      .selectFrom('app')
      .select('sign_in_domains as domains')
      .where('id', '=', appId)
      .executeTakeFirstOrThrow()
  ).domains;

/** An app as an operator sees it. */
export interface ListedApp extends App {
  readonly signInDomains: readonly string[];
  /** Where its notifications are pushed to; null for nowhere. */
  readonly notificationWebhook: string | null;
  readonly organizationName: string;
  readonly createdAt: Date;
}

/** @returns all apps, oldest first. */
export const selectApps = (session: Session): Promise<ListedApp[]> =>
  session.kysely
    .selectFrom('app as a')
    .innerJoin('organization as o', 'o.id', 'a.organization_id')
    .leftJoin('host_webhook as w', 'w.app_id', 'a.id')
    .select([
      'a.id',
      'a.organization_id as organizationId',
      'o.name as organizationName',
      'a.name',
      'a.fid',
      'a.sign_in_domains as signInDomains',
      'w.url as notificationWebhook',
      'a.created_at as createdAt',
    ])
    .orderBy('a.created_at')
    .orderBy('a.id')
    .execute();

/**
 * @param change what is absent stays as it is; a `fid` of null takes the app's account away
 * @returns the app as it stands then; undefined when there is none
 */
export const updateApp = async (
  session: Session,
  id: string,
  change: { readonly name?: string; readonly fid?: number | null; readonly signInDomains?: readonly string[] },
): Promise<App | undefined> =>
  (
    await session.run<App>(
      `update app set name = coalesce($2, name), fid = case when $3::boolean then $4::bigint else fid end,
              sign_in_domains = coalesce($5::text[], sign_in_domains)
        where id = $1 returning id, organization_id as "organizationId", name, fid`,
      [id, change.name ?? null, change.fid !== undefined, change.fid ?? null, change.signInDomains ?? null],
    )
  )[0];
