import { readQuery } from '../query-function.js';
import { type Audience, visibleTo } from '../visibility.js';

/**
 * @param cast hex without 0x
 * @returns hashes of the latest visible casts of its thread up to it, in order of time
 */
export const selectThreadUpTo = readQuery(
  'thread_up_to_cast',
  `select encode(c.hash, 'hex') as "hash!"
     from "cast" t
    cross join lateral (
      select c.ts, c.hash from "cast" c
       where c.root_fid = t.root_fid and c.root_hash = t.root_hash and c.ts <= t.ts and (c.ts, c.hash) <= (t.ts, t.hash)
         and ${visibleTo('c.fid', ':viewer?', ':appId')}
       order by c.ts desc, c.hash desc limit :limit
    ) c
    where t.fid = :fid and t.hash = :hash
    order by c.ts, c.hash`,
).column(
  'hash',
  (cast: { readonly fid: number; readonly hash: string }, { viewer, appId }: Audience, limit: number) => ({
    viewer,
    appId,
    fid: cast.fid,
    hash: Buffer.from(cast.hash, 'hex'),
    limit,
  }),
);
