import { readQuery } from '../query-function.js';
import { type Audience, visibleTo } from '../visibility.js';

/** The condition of the index, which counts only through it. */
export const ABOUT_TOKEN = `(c.parent_url like 'eip155:%' or c.parent_url like 'chain://eip155:%')`;

/**
 * Counts the casts about tokens: those whose parent URL is the token's CAIP-19 id, or the id after `chain://` (FIP-2),
 * in any case. Casts of accounts hidden from the audience do not count.
 * @param ids `eip155:8453/erc20:0x…` in lower case
 * @returns by id; a token without casts is missing
 */
export const selectCommentCounts = readQuery(
  'token_comment_count',
  `select t.id as "id!", sum(g.casts)::integer as "casts!"
     from unnest(:ids::text[]) t(id)
    cross join lateral (
      select c.fid, count(*) as casts from "cast" c
       where lower(c.parent_url) in (t.id, 'chain://' || t.id) and ${ABOUT_TOKEN}
       group by c.fid
    ) g
    where ${visibleTo('g.fid', ':viewer?', ':appId')}
    group by t.id`,
).columnMap('id', 'casts', (ids: readonly string[], { viewer, appId }: Audience) => ({ ids, viewer, appId }));
