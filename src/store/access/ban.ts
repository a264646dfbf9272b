import { writeQuery } from '../query-function.js';

// In one order, so that two calls at once wait for each other instead of locking each other out.
/** Bans accounts from an app; those that are banned already keep their time. Fids need no account. */
export const insertBans = writeQuery(
  'insert_bans',
  `insert into ban (fid, app_id, banned_at)
    select distinct f.fid, :appId::uuid, :bannedAt::timestamptz from unnest(:fids::bigint[]) as f(fid) order by 1
    on conflict do nothing`,
).done((appId: string, fids: readonly number[], bannedAt: Date) => ({ fids, appId, bannedAt }));

export const deleteBans = writeQuery(
  'delete_bans',
  `delete from ban where (fid, app_id) in (
      select b.fid, b.app_id from ban b where b.fid = any(:fids::bigint[]) and b.app_id = :appId::uuid order by b.fid for update
    )`,
).done((appId: string, fids: readonly number[]) => ({ fids, appId }));
