import type { Session } from '../../db/statement.js';
import { priorityQuery, type RowOf, selectQuery, writeQuery } from '../query-function.js';
import { insertText } from '../table.js';

const COLUMNS = `id, app_id as "appId", name, prefix, scopes, created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt"`;

/** A key as an operator sees it: the key itself is stored nowhere, `prefix` are its first characters. */
export type ApiKey = RowOf<'api_key_list'>;

/**
 * A key as requests are authenticated with it. `organizationStatus` is `active` or `inactive`, `planId` what the
 * organization subscribes to; null: the default plan.
 */
export type AuthenticatedKey = RowOf<'api_key_by_hashes'>;

export interface NewApiKey {
  readonly appId: string;
  readonly name: string;
  /** SHA-256 of the key, 32 bytes. */
  readonly hash: Uint8Array;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: Date | undefined;
}

// Every request waits for its key, so this read must not queue behind others.
/** @returns the keys with those SHA-256 hashes, expired and revoked ones included, in no order. */
export const selectApiKeysByHash = priorityQuery(
  'api_key_by_hashes',
  `select k.id, k.hash, k.scopes, k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
          a.id as "appId", a.fid as "appFid", a.organization_id as "organizationId",
          o.status as "organizationStatus", case when s.status = 'canceled' then null else s.plan_id end as "planId"
     from api_key k join app a on a.id = k.app_id
     join organization o on o.id = a.organization_id left join subscription s on s.organization_id = o.id
    where k.hash = any(:hashes::bytea[])`,
).rows((hashes: readonly Buffer[]) => ({ hashes }));

/** @returns which of these keys do not work any more */
export const selectEndedApiKeys = selectQuery(
  'select_ended_api_keys',
  `select k.id from api_key k join app a on a.id = k.app_id join organization o on o.id = a.organization_id
    where k.id = any(:ids::uuid[]) and (k.revoked_at is not null or k.expires_at <= :now or o.status <> 'active')`,
).column('id', (ids: readonly string[], now: Date) => (ids.length === 0 ? undefined : { ids, now }));

const NEW = ['app_id', 'name', 'hash', 'prefix', 'scopes', 'expires_at', 'configured'] as const;

/** @returns the stored key. @throws the database's unique violation when the hash is stored already. */
export const insertApiKey = writeQuery('api_key_insert', insertText('api_key', NEW, `returning ${COLUMNS}`)).one(
  (key: NewApiKey) => ({ ...key, expiresAt: key.expiresAt ?? null, configured: false }),
);

/** @returns the keys of all apps or of one, oldest first, ended ones included. */
export const selectApiKeys = selectQuery(
  'api_key_list',
  `select ${COLUMNS} from api_key where :appId?::uuid is null or app_id = :appId? order by created_at, id`,
).rows((appId?: string) => ({ appId: appId ?? null }));

/** @returns the key of that id; undefined when there is none */
export const selectApiKey = selectQuery('api_key_by_id', `select ${COLUMNS} from api_key where id = :id`).first(
  (id: string) => ({ id }),
);

const END = `least(coalesce(revoked_at, 'infinity'), coalesce(expires_at, 'infinity'))`;

/** @returns the keys of an app, oldest first, without those that ended before a time */
export const selectRecentApiKeys = selectQuery(
  'api_key_recent',
  `select ${COLUMNS} from api_key where app_id = :appId and ${END} >= :endedSince order by created_at, id`,
).rows((appId: string, endedSince: Date) => ({ appId, endedSince }));

/** Makes others wait who count the keys of the app, until the transaction ends. */
export const lockApiKeys = writeQuery('api_key_lock_app', 'select id from app where id = :appId for update').done(
  (appId: string) => ({ appId }),
);

/** @returns how many keys of an app work, and how many were made since a time */
export const countApiKeys = selectQuery(
  'api_key_count',
  `select (count(*) filter (where ${END} > :now))::integer as "working!",
          (count(*) filter (where created_at >= :since))::integer as "made!"
     from api_key where app_id = :appId`,
).one((appId: string, { now, since }: { readonly now: Date; readonly since: Date }) => ({ appId, now, since }));

/** @returns the key of that id, locked until the transaction ends; undefined when there is none. */
export const selectApiKeyForUpdate = writeQuery(
  'api_key_lock',
  `select ${COLUMNS} from api_key where id = :id for update`,
).first((id: string) => ({ id }));

/** Ends a key at `at`, or earlier when it had an earlier end already. @returns the updated key */
export const updateApiKeyEnd = writeQuery(
  'api_key_end',
  `update api_key set expires_at = least(expires_at, :at::timestamptz) where id = :id returning ${COLUMNS}`,
).first((id: string, at: Date) => ({ id, at }));

/** Revokes a key; one that was revoked before keeps its time. @returns the updated key */
export const updateApiKeyRevoked = writeQuery(
  'api_key_revoke',
  `update api_key set revoked_at = coalesce(revoked_at, :at::timestamptz) where id = :id returning ${COLUMNS}`,
).first((id: string, at: Date) => ({ id, at }));

const revokeConfigured = writeQuery(
  'api_key_revoke_configured',
  'update api_key set revoked_at = :now, configured = false where configured and hash <> :hash and revoked_at is null',
).done();

const upsertConfigured = writeQuery(
  'api_key_upsert_configured',
  insertText(
    'api_key',
    NEW,
    `on conflict (hash) do update set scopes = excluded.scopes, configured = true,
       expires_at = case when api_key.configured then api_key.expires_at end,
       revoked_at = case when api_key.configured then api_key.revoked_at end
     returning revoked_at is null and (expires_at is null or expires_at > :now) as "works!"`,
  ),
).one();

/**
 * Makes this key, and no other, the key that the configuration names.
 * @returns whether it works: one that somebody ended while it was configured stays ended
 */
export const upsertConfiguredApiKey = async (session: Session, key: NewApiKey, now: Date): Promise<boolean> => {
  await revokeConfigured(session, { hash: key.hash, now });
  return (await upsertConfigured(session, { ...key, expiresAt: null, configured: true, now })).works;
};

/** Stores when keys were last used; an earlier time than the stored one changes nothing. */
export const updateApiKeyLastUsed = writeQuery(
  'update_api_key_last_used',
  `update api_key k
      set last_used_at = u.at
     from unnest(:ids::uuid[], :times::timestamptz[]) as u (id, at)
    where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`,
).done((uses: ReadonlyMap<string, Date>) => ({ ids: [...uses.keys()], times: [...uses.values()] }));
