import { readQuery } from '../query-function.js';
import { fromMicroseconds, inMicroseconds, type TimeCursor } from './microsecond-time.js';

/** @param after the last mute of the previous page; undefined: the first page */
export const selectMutes = readQuery(
  'mute_by_account',
  `select m.muted_fid as fid, ${inMicroseconds('m.muted_at')} as "at!"
     from mute m
    where m.fid = :fid and m.app_id = :appId::uuid
      and (m.muted_at, m.muted_fid) < (${fromMicroseconds(':at?')}, :afterFid::bigint)
    order by m.muted_at desc, m.muted_fid desc
    limit :limit`,
).rows((owner: { readonly fid: number; readonly appId: string }, after: TimeCursor | undefined, limit: number) => ({
  fid: owner.fid,
  appId: owner.appId,
  at: after?.at ?? null,
  afterFid: after?.fid ?? 0,
  limit,
}));
