import { readQuery } from '../query-function.js';
import { fromMicroseconds, inMicroseconds, type TimeCursor } from './microsecond-time.js';

/** Bans, the newest first, then by fid, both descending. @param after the last ban of the previous page; undefined: the first page */
export const selectBans = readQuery(
  'ban_by_app',
  `select fid, ${inMicroseconds('banned_at')} as "at!"
     from ban
    where app_id = :appId::uuid and (banned_at, fid) < (${fromMicroseconds(':at?')}, :fid::bigint)
    order by banned_at desc, fid desc
    limit :limit`,
).rows((appId: string, after: TimeCursor | undefined, limit: number) => ({
  appId,
  at: after?.at ?? null,
  fid: after?.fid ?? 0,
  limit,
}));
