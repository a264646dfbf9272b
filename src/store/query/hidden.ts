import type { Reader } from '../../db/statement.js';
import { readQuery } from '../query-function.js';
import { audienceTagsOf } from '../tag.js';
import { type Audience, visibleTo } from '../visibility.js';

/**
 * Applies the visibility rule to accounts that are not from a list, such as the authors of embedded casts.
 * @returns the hidden ones of the fids
 */
export const selectHidden = readQuery(
  'hidden_account',
  `select f.fid as "fid!" from unnest(:fids::bigint[]) as f(fid) where not (${visibleTo('f.fid', ':viewer?', ':appId')})`,
  ({ viewer, appId }) => audienceTagsOf(viewer, appId),
).column('fid', (fids: readonly number[], { viewer, appId }: Audience) => ({ fids, viewer, appId }));

const allHidden = readQuery(
  'all_hidden_account',
  `select coalesce(array_agg(h.fid), '{}') as "fids!"
     from (select fid from ban where app_id = :appId::uuid
            union all
           select muted_fid from mute where fid = :viewer?::bigint and app_id = :appId::uuid
            union all
           select blocked_fid from block where fid = :viewer?::bigint
            union all
           select fid from block where blocked_fid = :viewer?::bigint
            limit :limit) h`,
).first();

/**
 * The same rule for all accounts (src/store/visibility.ts).
 * @returns all accounts hidden from the audience; undefined for more than `most`
 */
export const selectAllHidden = async (
  db: Reader,
  { viewer, appId }: Audience,
  most: number,
): Promise<ReadonlySet<number> | undefined> => {
  const row = await allHidden(db, { appId, viewer, limit: most + 1 });
  return row === undefined || row.fids.length > most ? undefined : new Set(row.fids);
};
