import { type Reader, statement } from '../../db/statement.js';
import { readQuery } from '../query-function.js';
import { audienceTagsOf } from '../tag.js';
import { type Audience, visibleTo } from '../visibility.js';

/**
 * Applies the visibility rule to accounts that are not from a list, such as the authors of embedded casts.
 * @returns the hidden ones of the fids
 */
export const selectHidden = readQuery<{ fid: number }>(
  'hidden_account',
  `select f.fid from unnest($1::bigint[]) as f(fid) where not (${visibleTo('f.fid', '$2', '$3')})`,
  ([, viewer, appId]) => audienceTagsOf(viewer, appId),
).column('fid', (fids: readonly number[], { viewer, appId }: Audience) => [fids, viewer, appId]);

const allHidden = statement<{ fids: number[] }>(
  'all_hidden_account',
  `select coalesce(array_agg(h.fid), '{}') as fids
     from (select fid from ban where app_id = $1::uuid
            union all
           select muted_fid from mute where fid = $2::bigint and app_id = $1::uuid
            union all
           select blocked_fid from block where fid = $2::bigint
            union all
           select fid from block where blocked_fid = $2::bigint
            limit $3) h`,
);

/**
 * The same rule for all accounts (src/store/visibility.ts).
 * @returns all accounts hidden from the audience; undefined for more than `most`
 */
export const selectAllHidden = async (
  db: Reader,
  { viewer, appId }: Audience,
  most: number,
): Promise<ReadonlySet<number> | undefined> => {
  const [row] = await db.read(allHidden, [appId, viewer, most + 1]);
  return row === undefined || row.fids.length > most ? undefined : new Set(row.fids);
};
