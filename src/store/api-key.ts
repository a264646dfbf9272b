import { type Param, type Session, urgentStatement } from './database.js';

/** A key as an operator sees it: the key itself is nowhere stored. */
export interface ApiKey {
  readonly id: string;
  readonly appId: string;
  readonly name: string;
  /** First characters of the key. */
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** What a request needs to know about the key it came with. */
export interface ApiKeyHolder {
  readonly id: string;
  readonly hash: Buffer;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly appId: string;
  readonly appFid: number | null;
  readonly organizationId: string;
  /** `active` or `inactive`. */
  readonly organizationStatus: string;
  /** What the organization subscribes to; null: the default plan. */
  readonly planId: string | null;
}

export interface NewApiKey {
  readonly appId: string;
  readonly name: string;
  /** SHA-256 of the key, 32 bytes. */
  readonly hash: Uint8Array;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: Date | undefined;
}

const columns = [
  'id',
  'app_id as appId',
  'name',
  'prefix',
  'scopes',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'revoked_at as revokedAt',
  'last_used_at as lastUsedAt',
] as const;

/** No request goes on before its key is known. */
const selectByHashes = urgentStatement<ApiKeyHolder>(
  'api_key_by_hashes',
  `select k.id, k.hash, k.scopes, k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
          a.id as "appId", a.fid as "appFid", a.organization_id as "organizationId",
          o.status as "organizationStatus", case when s.status = 'canceled' then null else s.plan_id end as "planId"
     from api_key k join app a on a.id = k.app_id
     join organization o on o.id = a.organization_id left join subscription s on s.organization_id = o.id
    where k.hash = any($1::bytea[])`,
);

/** @returns the keys with those SHA-256 hashes, be they live or not, in no order; without those that nobody has. */
export const selectApiKeysByHash = (
  session: Pick<Session, 'read'>,
  hashes: readonly Buffer[],
): Promise<ApiKeyHolder[]> => session.read(selectByHashes, [hashes]);

/** @returns the stored key. @throws the database's unique violation when the hash is stored already. */
export const insertApiKey = async (session: Session, key: NewApiKey): Promise<ApiKey> =>
  session.kysely
    .insertInto('api_key')
    .values({
      app_id: key.appId,
      name: key.name,
      hash: Buffer.from(key.hash),
      prefix: key.prefix,
      scopes: [...key.scopes],
      expires_at: key.expiresAt ?? null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();

/** @returns the keys of all apps or of one, oldest first, ended ones included. */
export const selectApiKeys = async (session: Session, appId?: string): Promise<ApiKey[]> => {
  const query = session.kysely.selectFrom('api_key').select(columns).orderBy('created_at').orderBy('id');
  return (appId === undefined ? query : query.where('app_id', '=', appId)).execute();
};

/** @returns the key of that id, locked until the transaction ends; undefined when there is none. */
export const selectApiKeyForUpdate = async (session: Session, id: string): Promise<ApiKey | undefined> =>
  session.kysely.selectFrom('api_key').select(columns).where('id', '=', id).forUpdate().executeTakeFirst();

/** Ends a key at `at`, or earlier when it had an earlier end already. @returns the key as it stands then. */
export const updateApiKeyEnd = async (session: Session, id: string, at: Date): Promise<ApiKey | undefined> =>
  session.kysely
    .updateTable('api_key')
    .set((expression) => ({
      expires_at: expression.fn<Date>('least', ['expires_at', expression.val(at)]),
    }))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();

/** Revokes a key; one that was revoked before keeps its time. @returns the key as it stands then. */
export const updateApiKeyRevoked = async (session: Session, id: string, at: Date): Promise<ApiKey | undefined> =>
  session.kysely
    .updateTable('api_key')
    .set((expression) => ({
      revoked_at: expression.fn.coalesce('revoked_at', expression.val(at)),
    }))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();

/** Makes this key, and no other, the live key that the configuration names. */
export const upsertConfiguredApiKey = async (session: Session, key: NewApiKey, now: Date): Promise<void> => {
  const hash = Buffer.from(key.hash);
  await session.kysely
    .updateTable('api_key')
    .set({ revoked_at: now })
    .where('configured', '=', true)
    .where('hash', '<>', hash)
    .where('revoked_at', 'is', null)
    .execute();
  await session.kysely
    .insertInto('api_key')
    .values({
      app_id: key.appId,
      name: key.name,
      hash,
      prefix: key.prefix,
      scopes: [...key.scopes],
      configured: true,
    })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({
        scopes: [...key.scopes],
        configured: true,
        expires_at: null,
        revoked_at: null,
      }),
    )
    .execute();
};

/** Notes when keys were last used; an earlier time than the stored one changes nothing. */
export const updateApiKeyLastUsed = async (session: Session, uses: ReadonlyMap<string, Date>): Promise<void> => {
  const ids: Param = [...uses.keys()];
  const times: Param = [...uses.values()];
  await session.run(
    `update api_key k
        set last_used_at = u.at
       from unnest($1::uuid[], $2::timestamptz[]) as u (id, at)
      where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`,
    [ids, times],
  );
};
