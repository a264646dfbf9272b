import { deleteRows, insertRows, rowSource } from './bulk.js';
import type { Session } from './database.js';

/** A reaction under its target; a target URL stands as fid 0 and the URL's digest. */
export interface ReactionRow {
  readonly target_fid: number;
  readonly target_hash: Uint8Array;
  /** 1 like, 2 recast. */
  readonly type: number;
  readonly ts: number;
  readonly hash: Uint8Array;
  readonly fid: number;
}

const KEY = { target_fid: 'bigint', target_hash: 'bytea', type: 'smallint', ts: 'integer', hash: 'bytea' } as const;

export const insertReactions = async (session: Session, rows: readonly ReactionRow[]): Promise<void> => {
  await insertRows(session, 'reaction', { ...KEY, fid: 'bigint' }, rows);
};

export const deleteReactions = (session: Session, rows: readonly ReactionRow[]): Promise<void> =>
  deleteRows(session, 'reaction', KEY, rows);

/** @returns who reacted to these casts, and how; `limit` bounds them all together. */
export const selectReactors = async (
  session: Session,
  casts: readonly { readonly fid: number; readonly hash: Uint8Array }[],
  limit: number,
): Promise<Pick<ReactionRow, 'fid' | 'type'>[]> => {
  if (casts.length === 0) return [];
  const { select, params } = rowSource({ fid: 'bigint', hash: 'bytea' }, casts);
  return session.select(
    `select r.fid, r.type from (${select}) k
      cross join lateral (
        select r.fid, r.type from reaction r where r.target_fid = k.fid and r.target_hash = k.hash limit $3
      ) r
      limit $3`,
    [...params, limit],
  );
};

const GROUP = { target_fid: 'bigint', target_hash: 'bytea', type: 'smallint' } as const;

/**
 * Tells casts of their new reactions, where none of the same kind went: the newest is that of before or one of these.
 * @param groups the newest new reaction to each cast of each kind. Casts are stored before.
 */
export const raiseReactionGroups = async (
  session: Session,
  groups: readonly Pick<ReactionRow, 'target_fid' | 'target_hash' | 'type' | 'ts'>[],
): Promise<void> => {
  if (groups.length === 0) return;
  const { select, params } = rowSource({ ...GROUP, ts: 'integer' }, groups);
  await session.run(
    `insert into reaction_group (target_fid, target_hash, type, latest_ts, root_parent_url)
     select k.target_fid, k.target_hash, k.type, k.ts, c.root_parent_url from (${select}) k
       left join "cast" c on c.fid = k.target_fid and c.hash = k.target_hash
     on conflict (target_fid, target_hash, type) do update set latest_ts = excluded.latest_ts
      where reaction_group.latest_ts < excluded.latest_ts`,
    params,
  );
};

/** Says anew which reaction to each of these casts is the newest, or that there is none. Casts are stored before. */
export const updateReactionGroups = async (
  session: Session,
  groups: readonly Pick<ReactionRow, 'target_fid' | 'target_hash' | 'type'>[],
): Promise<void> => {
  if (groups.length === 0) return;
  const { select, params } = rowSource(GROUP, groups);
  const same = (alias: string): string =>
    Object.keys(GROUP)
      .map((name) => `${alias}.${name} = k.${name}`)
      .join(' and ');
  await session.run(
    `insert into reaction_group (target_fid, target_hash, type, latest_ts, root_parent_url)
     select k.target_fid, k.target_hash, k.type, latest.ts, c.root_parent_url from (${select}) k
       join lateral (select r.ts from reaction r where ${same('r')} order by r.ts desc limit 1) latest on true
       left join "cast" c on c.fid = k.target_fid and c.hash = k.target_hash
     on conflict (target_fid, target_hash, type) do update set latest_ts = excluded.latest_ts
      where reaction_group.latest_ts <> excluded.latest_ts`,
    params,
  );
  await session.run(
    `delete from reaction_group g using (${select}) k
      where ${same('g')} and not exists (select from reaction r where ${same('r')})`,
    params,
  );
};
