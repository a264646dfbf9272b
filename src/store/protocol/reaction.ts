import type { Session } from '../../db/statement.js';
import { deleteRows, insertRows, readRows, writeRows } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

/** A reaction by its target; a target URL is stored as fid 0 and the URL's digest. `type` is 1 like, 2 recast. */
export type ReactionRow = Camel<Written<Tables['reaction']>>;

const KEY = { target_fid: 'bigint', target_hash: 'bytea', type: 'smallint', ts: 'integer', hash: 'bytea' } as const;

export const insertReactions = insertRows('insert_reactions', 'reaction', { ...KEY, fid: 'bigint' }).done(
  (rows: readonly ReactionRow[]) => [rows],
);

export const deleteReactions = deleteRows('delete_reactions', 'reaction', KEY).done((rows: readonly ReactionRow[]) => [
  rows,
]);

/** @returns authors and types of reactions to these casts, at most `limit` in total */
export const selectReactors = readRows(
  'reactors_of_casts',
  { fid: 'bigint', hash: 'bytea' },
  (rows) => `select r.fid, r.type from (${rows}) k
     cross join lateral (
       select r.fid, r.type from reaction r where r.target_fid = k.fid and r.target_hash = k.hash limit :limit
     ) r
     limit :limit`,
).rows((casts: readonly { readonly fid: number; readonly hash: Uint8Array }[], limit: number) => [casts, { limit }]);

const GROUP = { target_fid: 'bigint', target_hash: 'bytea', type: 'smallint' } as const;

/**
 * Updates the latest reaction of each cast and type. Only for batches without removals, because the latest one must be
 * the stored one or a new one.
 * @param groups the newest new reaction of each type to each cast; the casts must be stored before
 */
export const updateLatestReactions = writeRows(
  'upsert_latest_reactions',
  { ...GROUP, ts: 'integer' },
  (rows) => `insert into reaction_group (target_fid, target_hash, type, latest_ts, root_parent_url)
     select k.target_fid, k.target_hash, k.type, k.ts, c.root_parent_url from (${rows}) k
       left join "cast" c on c.fid = k.target_fid and c.hash = k.target_hash
     on conflict (target_fid, target_hash, type) do update set latest_ts = excluded.latest_ts
      where reaction_group.latest_ts < excluded.latest_ts`,
).done((groups: readonly Pick<ReactionRow, 'targetFid' | 'targetHash' | 'type' | 'ts'>[]) => [groups]);

const sameGroup = (alias: string): string =>
  Object.keys(GROUP)
    .map((name) => `${alias}.${name} = k.${name}`)
    .join(' and ');

const recomputeGroups = writeRows(
  'recompute_reaction_groups',
  GROUP,
  (rows) => `insert into reaction_group (target_fid, target_hash, type, latest_ts, root_parent_url)
     select k.target_fid, k.target_hash, k.type, latest.ts, c.root_parent_url from (${rows}) k
       join lateral (select r.ts from reaction r where ${sameGroup('r')} order by r.ts desc limit 1) latest on true
       left join "cast" c on c.fid = k.target_fid and c.hash = k.target_hash
     on conflict (target_fid, target_hash, type) do update set latest_ts = excluded.latest_ts
      where reaction_group.latest_ts <> excluded.latest_ts`,
).done();

const deleteEmptyGroups = writeRows(
  'delete_empty_reaction_groups',
  GROUP,
  (rows) => `delete from reaction_group g using (${rows}) k
      where ${sameGroup('g')} and not exists (select from reaction r where ${sameGroup('r')})`,
).done();

/** Recomputes the latest reaction of each of these casts and types; the casts must be stored before. */
export const updateReactionGroups = async (
  session: Session,
  groups: readonly Pick<ReactionRow, 'targetFid' | 'targetHash' | 'type'>[],
): Promise<void> => {
  await recomputeGroups(session, groups);
  await deleteEmptyGroups(session, groups);
};
