import type { Compare } from './compare.js';

const named = (fid: string, hash: string): string => `${fid}::text || ' 0x' || encode(${hash}, 'hex')`;

/** All casts with a known parent, and those without one: stored and removed. */
const known = (columns: string): string =>
  `select ${columns} from "cast" union all select ${columns} from removed_cast`;

/**
 * Recomputes the thread and the parent URL of every cast from the parents alone, through removed casts, too.
 */
export const threadChecks = (compare: Compare): Readonly<Record<string, string>> => ({
  'cast.root': compare(
    `select ${named('fid', 'hash')} as place, concat_ws(' ', ${named('root_fid', 'root_hash')}, root_parent_url) as value
       from (${known('fid, hash, root_fid, root_hash, root_parent_url')}) casts`,
    `select ${named('fid', 'hash')} as place, concat_ws(' ', ${named('root_fid', 'root_hash')}, root_parent_url) as value
       from (
         with recursive thread as (
           select c.fid, c.hash,
                  case when c.parent_hash is null then c.fid else c.parent_fid end as root_fid,
                  case when c.parent_hash is null then c.hash else c.parent_hash end as root_hash,
                  case when c.parent_hash is null then c.parent_url end as root_parent_url
             from (${known('fid, hash, parent_fid, parent_hash, parent_url')}) c
            where c.parent_hash is null
               or not exists (select from "cast" p where p.fid = c.parent_fid and p.hash = c.parent_hash)
                  and not exists (select from removed_cast p where p.fid = c.parent_fid and p.hash = c.parent_hash)
           union all
           select r.fid, r.hash, t.root_fid, t.root_hash, t.root_parent_url
             from thread t join (
               select fid, hash, parent_fid, parent_hash from cast_reply
                union all
               select fid, hash, parent_fid, parent_hash from removed_cast
             ) r on r.parent_fid = t.fid and r.parent_hash = t.hash
         ) select * from thread) roots`,
  ),
  removed_cast: compare(
    `select ${named('fid', 'hash')} as place, '' as value from removed_cast`,
    `select ${named('r.fid', 'r.hash')} as place, '' as value from removed_cast r
      where (r.parent_hash is not null or r.parent_url is not null)
        and not exists (select from "cast" c where c.fid = r.fid and c.hash = r.hash)`,
  ),
});
