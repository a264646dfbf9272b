import { writeQuery } from '../query-function.js';

/**
 * SQL of `account.verifications`: the rows of `verification` (as `v`) of one account, aggregated as compact JSON
 * `[[protocol, address], ...]`, oldest first; null where there are none.
 */
export const VERIFICATIONS = `'[' || string_agg('[' || v.protocol || ',"' || encode(v.address, 'hex') || '"]', ','
                                                order by v.ts, v.hash) || ']'`;

/**
 * SQL of `account.auth_keys`: the active rows of `signer_key` (as `k`) of one account with key type 2, aggregated as
 * compact JSON `[[key, request fid or null], ...]`, oldest first; null where there are none.
 */
export const AUTH_KEYS = `'[' || string_agg('["' || encode(k.key, 'hex') || '",' || coalesce(k.request_fid::text, 'null') || ']', ','
                                            order by k.decided_at, k.key) || ']'`;

/** Condition for auth keys among the rows of `signer_key` (as `k`). */
export const IS_AUTH_KEY = 'k.key_type = 2 and k.active';

/**
 * Recomputes the columns `verifications` and `auth_keys` of these accounts from `verification` and `signer_key`. An
 * account without a row gets one, because its keys may be known before anything else.
 */
export const updateAccountAddresses = writeQuery(
  'update_account_addresses',
  `insert into account (fid, verifications, auth_keys)
    select f.fid, e.verifications, e.auth_keys
      from unnest(:fids::bigint[]) as f(fid)
     cross join lateral (
       select (select ${VERIFICATIONS} from verification v where v.fid = f.fid) as verifications,
              (select ${AUTH_KEYS} from signer_key k where k.fid = f.fid and ${IS_AUTH_KEY}) as auth_keys
     ) e
      left join account a on a.fid = f.fid
     where (a.verifications, a.auth_keys) is distinct from (e.verifications, e.auth_keys)
    on conflict (fid) do update set
      verifications = excluded.verifications, auth_keys = excluded.auth_keys`,
).done((fids: readonly number[]) => (fids.length === 0 ? undefined : { fids }));
