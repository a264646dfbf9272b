import { readQuery } from '../query-function.js';
import { fromMicroseconds, inMicroseconds, type TimeCursor } from './microsecond-time.js';

/** A ban and its position in the list: newest first, then by fid, both descending. */
export type BanRow = TimeCursor;

/** @param after the last ban of the previous page; undefined: the first page */
export const selectBans = readQuery<BanRow>(
  'ban_by_app',
  `select fid, ${inMicroseconds('banned_at')} as at
     from ban
    where app_id = $1::uuid and (banned_at, fid) < (${fromMicroseconds('$2')}, $3::bigint)
    order by banned_at desc, fid desc
    limit $4`,
).rows((appId: string, after: TimeCursor | undefined, limit: number) => [
  appId,
  after?.at ?? null,
  after?.fid ?? 0,
  limit,
]);
