import { deleteRows, insertRows } from './bulk.js';
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
