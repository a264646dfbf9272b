import { type Session, sql } from '../../db/statement.js';
import { selectQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList } from '../table.js';
import type { Tables } from '../tables.js';

const SHOWN = ['id', 'organization_id', 'name', 'fid'] as const;
const COLUMNS = columnList(SHOWN);

/** An app; `fid` is its own account, null when it has none. */
export type App = Camel<Pick<Tables['app'], (typeof SHOWN)[number]>>;

/** @returns the stored app; undefined when its id exists already (it is left as it is). */
export const insertApp = writeQuery<App>(
  'app_insert',
  `insert into app (id, organization_id, name, fid) values (coalesce($1::uuid, gen_random_uuid()), $2, $3, $4)
   on conflict (id) do nothing returning ${COLUMNS}`,
).first(
  (app: { readonly id?: string; readonly organizationId: string; readonly name: string; readonly fid?: number }) => [
    app.id ?? null,
    app.organizationId,
    app.name,
    app.fid ?? null,
  ],
);

/** @returns the app of that id; undefined when there is none. */
export const selectApp = selectQuery<App>('app_by_id', `select ${COLUMNS} from app where id = $1`).first(
  (id: string) => [id],
);

const domainsOf = sql<{ domains: readonly string[] }>(
  'app_sign_in_domains',
  'select sign_in_domains as domains from app where id = $1',
);

/** @returns the domains that the app's users may sign in to, in lower case; none: any domain. */
export const selectSignInDomains = async (session: Session, appId: string): Promise<readonly string[]> => {
  const [row] = await session.select(domainsOf, [appId]);
  if (!row) throw new Error(`There is no app ${appId}.`);
  return row.domains;
};

/** An app as an operator sees it. */
export interface ListedApp extends App {
  readonly signInDomains: readonly string[];
  /** Where its notifications are pushed to; null for nowhere. */
  readonly notificationWebhook: string | null;
  /** Domain of its mini app; null without one. */
  readonly miniAppDomain: string | null;
  readonly organizationName: string;
  readonly createdAt: Date;
}

/** @returns all apps, oldest first. */
export const selectApps = selectQuery<ListedApp>(
  'app_list',
  `select a.id, a.organization_id as "organizationId", o.name as "organizationName", a.name, a.fid,
          a.sign_in_domains as "signInDomains", w.url as "notificationWebhook", m.domain as "miniAppDomain",
          a.created_at as "createdAt"
     from app a join organization o on o.id = a.organization_id left join host_webhook w on w.app_id = a.id
          left join mini_app m on m.app_id = a.id
    order by a.created_at, a.id`,
).rows(() => []);

/**
 * @param change what is absent stays as it is; a `fid` of null takes the app's account away
 * @returns the app as it stands then; undefined when there is none
 */
export const updateApp = writeQuery<App>(
  'app_update',
  `update app set name = coalesce($2, name), fid = case when $3::boolean then $4::bigint else fid end,
          sign_in_domains = coalesce($5::text[], sign_in_domains)
    where id = $1 returning ${COLUMNS}`,
).first(
  (
    id: string,
    change: { readonly name?: string; readonly fid?: number | null; readonly signInDomains?: readonly string[] },
  ) => [id, change.name ?? null, change.fid !== undefined, change.fid ?? null, change.signInDomains ?? null],
);
