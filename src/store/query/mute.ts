import { readQuery } from '../query-function.js';
import { fromMicroseconds, inMicroseconds, type TimeCursor } from './microsecond-time.js';

/** A muted account and its position in the list: newest first, then by fid, both descending. */
export type MuteRow = TimeCursor;

/** @param after the last mute of the previous page; undefined: the first page */
export const selectMutes = readQuery<MuteRow>(
  'mute_by_account',
  `select m.muted_fid as fid, ${inMicroseconds('m.muted_at')} as at
     from mute m
    where m.fid = $1 and m.app_id = $2::uuid
      and (m.muted_at, m.muted_fid) < (${fromMicroseconds('$3')}, $4::bigint)
    order by m.muted_at desc, m.muted_fid desc
    limit $5`,
).rows((owner: { readonly fid: number; readonly appId: string }, after: TimeCursor | undefined, limit: number) => [
  owner.fid,
  owner.appId,
  after?.at ?? null,
  after?.fid ?? 0,
  limit,
]);
