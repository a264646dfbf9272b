import { type Reader, statement } from '../database.js';
import { type DatedPlace, fromMicroseconds, inMicroseconds } from '../dated.js';

/** A ban, and its place in the list: newest first, then by fid, both descending. */
export type BanRow = DatedPlace;

const bansByApp = statement<BanRow>(
  'ban_by_app',
  `select fid, ${inMicroseconds('banned_at')} as at
     from ban
    where app_id = $1::uuid and (banned_at, fid) < (${fromMicroseconds('$2')}, $3::bigint)
    order by banned_at desc, fid desc
    limit $4`,
);

/** @param after place of the last ban before the page; undefined: the first page */
export const selectBans = (
  db: Reader,
  appId: string,
  after: DatedPlace | undefined,
  limit: number,
): Promise<BanRow[]> => db.read(bansByApp, [appId, after?.at ?? null, after?.fid ?? 0, limit]);
