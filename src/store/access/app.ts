import type { Session } from '../../db/statement.js';
import { type RowOf, selectQuery, writeQuery } from '../query-function.js';

const COLUMNS = `id, organization_id as "organizationId", name, fid`;

/** An app; `fid` is its own account, null when it has none. */
export type App = RowOf<'app_by_id'>;

/** @returns the stored app; undefined when its id exists already (it is left as it is). */
export const insertApp = writeQuery(
  'app_insert',
  `insert into app (id, organization_id, name, fid) values (coalesce(:id?::uuid, gen_random_uuid()), :organizationId, :name, :fid?)
   on conflict (id) do nothing returning ${COLUMNS}`,
).first(
  (app: { readonly id?: string; readonly organizationId: string; readonly name: string; readonly fid?: number }) => ({
    id: app.id ?? null,
    organizationId: app.organizationId,
    name: app.name,
    fid: app.fid ?? null,
  }),
);

/** @returns the app of that id; undefined when there is none. */
export const selectApp = selectQuery('app_by_id', `select ${COLUMNS} from app where id = :id`).first((id: string) => ({
  id,
}));

const domainsOf = selectQuery(
  'app_sign_in_domains',
  'select sign_in_domains as domains from app where id = :appId',
).first();

/** @returns the domains that the app's users may sign in to, in lower case; none: any domain. */
export const selectSignInDomains = async (session: Session, appId: string): Promise<readonly string[]> => {
  const row = await domainsOf(session, { appId });
  if (!row) throw new Error(`There is no app ${appId}.`);
  return row.domains;
};

/**
 * @param page those of one organization, or that app alone; `afterId` is the last app of the page before
 * @returns apps as an operator sees them, oldest first; without a notification webhook and a mini app, null
 */
export const selectApps = selectQuery(
  'app_list',
  `select a.id, a.organization_id as "organizationId", o.name as "organizationName", a.name, a.fid,
          a.sign_in_domains as "signInDomains", a.browser_origins as "browserOrigins", w.url as "notificationWebhook", m.domain as "miniAppDomain",
          a.created_at as "createdAt"
     from app a join organization o on o.id = a.organization_id left join host_webhook w on w.app_id = a.id
          left join mini_app m on m.app_id = a.id
    where (:organizationId?::uuid is null or a.organization_id = :organizationId?)
      and (:id?::uuid is null or a.id = :id?)
      and (:afterId?::uuid is null or (a.created_at, a.id) > (select b.created_at, b.id from app b where b.id = :afterId?))
    order by a.created_at, a.id
    limit :limit?::integer`,
).rows(
  (
    page: {
      readonly id?: string;
      readonly organizationId?: string | undefined;
      readonly afterId?: string | undefined;
      readonly limit?: number;
    } = {},
  ) => ({
    id: page.id ?? null,
    organizationId: page.organizationId ?? null,
    afterId: page.afterId ?? null,
    limit: page.limit ?? null,
  }),
);

/**
 * @param change what is absent stays as it is; a `fid` of null takes the app's account away
 * @returns the app as it stands then; undefined when there is none
 */
export const updateApp = writeQuery(
  'app_update',
  `update app set name = coalesce(:name?, name), fid = case when :setsFid::boolean then :fid?::bigint else fid end,
          sign_in_domains = coalesce(:signInDomains?::text[], sign_in_domains),
          browser_origins = coalesce(:browserOrigins?::text[], browser_origins)
    where id = :id returning ${COLUMNS}`,
).first(
  (
    id: string,
    change: {
      readonly name?: string;
      readonly fid?: number | null;
      readonly signInDomains?: readonly string[];
      readonly browserOrigins?: readonly string[];
    },
  ) => ({
    id,
    name: change.name ?? null,
    setsFid: change.fid !== undefined,
    fid: change.fid ?? null,
    signInDomains: change.signInDomains ?? null,
    browserOrigins: change.browserOrigins ?? null,
  }),
);
