import type { Reader } from '../../db/statement.js';
import { type RowOf, readQuery, selectQuery, writeQuery } from '../query-function.js';
import type { Camel } from '../table.js';
import type { Tables } from '../tables.js';

type Columns = Camel<Tables['mini_app_token']>;

/** A user of a mini app, and the host in which the user runs it. */
export type ClientUser = Pick<Columns, 'appId' | 'fid' | 'clientFid'>;

/** Events with a token whose digests are stored for each user and host. */
const DIGESTS = 32;

/** @returns whether another app of this installation took the event with this digest */
export const isEventOfAnotherApp = selectQuery(
  'mini_app_event_of_another_app',
  'select 1 from mini_app_token where fid = :fid and client_fid = :clientFid and app_id <> :appId and :digest::bytea = any(digests) limit 1',
).hasRows(({ appId, fid, clientFid }: ClientUser, digest: Uint8Array) => ({ fid, clientFid, appId, digest }));

/** Stores the token of an event in place of an earlier one. Repetitions of an event change nothing. */
export const enableClientToken = writeQuery(
  'enable_mini_app_token',
  `insert into mini_app_token as t (app_id, fid, client_fid, url, token, status, digests, created_at, updated_at)
    values (:appId, :fid, :clientFid, :url, :token, 'enabled', array[:digest::bytea], :now, :now)
    on conflict (app_id, fid, client_fid) do update
      set url = excluded.url, token = excluded.token, status = 'enabled', updated_at = excluded.updated_at,
          digests = (excluded.digests || t.digests)[1:${DIGESTS}]
      where not :digest::bytea = any(t.digests)`,
).done(
  (
    { appId, fid, clientFid }: ClientUser,
    { url, token, digest }: { readonly url: string; readonly token: string; readonly digest: Uint8Array },
    now: Date,
  ) => ({ appId, fid, clientFid, url, token, digest, now }),
);

/** Disables the token that a host gave for this user. */
export const disableClientToken = writeQuery(
  'disable_mini_app_token',
  `update mini_app_token set status = 'disabled', updated_at = :now
    where app_id = :appId and fid = :fid and client_fid = :clientFid and status = 'enabled'`,
).done(({ appId, fid, clientFid }: ClientUser, now: Date) => ({ appId, fid, clientFid, now }));

/** Marks tokens that their host rejected; one that was replaced meanwhile stays as it is. */
export const invalidateClientTokens = writeQuery(
  'invalidate_mini_app_tokens',
  `update mini_app_token t set status = 'invalid', updated_at = :now
     from unnest(:fids::bigint[], :tokens::text[]) as u(fid, token)
    where t.app_id = :appId and t.client_fid = :clientFid and t.fid = u.fid and t.token = u.token and t.status = 'enabled'`,
).done(
  (
    { appId, clientFid }: Omit<ClientUser, 'fid'>,
    tokens: readonly { readonly fid: number; readonly token: string }[],
    now: Date,
  ) => ({ appId, clientFid, fids: tokens.map(({ fid }) => fid), tokens: tokens.map(({ token }) => token), now }),
);

export type ClientTokenRow = RowOf<'mini_app_token_list'>;

/** @param condition of a row, in addition to its app */
const listOf = <Name extends 'mini_app_token_list' | 'mini_app_token_of_users'>(name: Name, condition: string) =>
  readQuery(
    name,
    `select fid, client_fid as "clientFid", url, token, status, created_at as "createdAt", updated_at as "updatedAt" from mini_app_token
      where app_id = :appId::uuid
        and (created_at, fid, client_fid) > (:afterAt::timestamptz, :afterFid::bigint, :afterClientFid::bigint) ${condition}
      order by created_at, fid, client_fid limit :limit`,
  ).rows();

const allTokens = listOf('mini_app_token_list', '');
const tokensOfUsers = listOf('mini_app_token_of_users', 'and fid = any(:fids::bigint[])');

/** @returns the tokens of an app's users, oldest first. @param fids undefined: of all users */
export const selectClientTokens = (
  db: Reader,
  { appId, fids }: { readonly appId: string; readonly fids: readonly number[] | undefined },
  after: { readonly at: number; readonly fid: number; readonly clientFid: number } | undefined,
  limit: number,
): Promise<ClientTokenRow[]> => {
  const { at, fid, clientFid } = after ?? { at: 0, fid: 0, clientFid: 0 };
  const page = { appId, afterAt: new Date(at), afterFid: fid, afterClientFid: clientFid, limit };
  return fids === undefined ? allTokens(db, page) : tokensOfUsers(db, { ...page, fids });
};
