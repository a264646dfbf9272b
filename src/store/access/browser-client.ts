import { priorityQuery, type RowOf } from '../query-function.js';

/**
 * An app whose pages may read, with the key that pays for them: the oldest of its keys that works and has the scope
 * `read`.
 */
export type BrowserClientRow = RowOf<'browser_client'>;

/** @returns undefined for an unknown app, and for one without such a key or of an inactive organization */
export const selectBrowserClient = priorityQuery(
  'browser_client',
  `select k.id as "keyId", a.id as "appId", a.fid as "appFid", a.organization_id as "organizationId",
          a.browser_origins as "origins", case when s.status = 'canceled' then null else s.plan_id end as "planId"
     from app a join api_key k on k.app_id = a.id join organization o on o.id = a.organization_id
     left join subscription s on s.organization_id = o.id
    where a.id = :appId and o.status = 'active' and 'read' = any(k.scopes)
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > :now)
    order by k.created_at, k.id limit 1`,
).first((appId: string, now: Date) => ({ appId, now }));
