import { deleteRows, insertRows } from './bulk.js';
import type { Session } from './database.js';

/** A link under its target. */
export interface LinkRow {
  readonly target_fid: number;
  /** 1 follow, 2 block, 0 another. */
  readonly type: number;
  readonly ts: number;
  readonly hash: Uint8Array;
  readonly fid: number;
}

const KEY = { target_fid: 'bigint', type: 'smallint', ts: 'integer', hash: 'bytea' } as const;

export const insertLinks = async (session: Session, rows: readonly LinkRow[]): Promise<void> => {
  await insertRows(session, 'link', { ...KEY, fid: 'bigint' }, rows);
};

export const deleteLinks = (session: Session, rows: readonly LinkRow[]): Promise<void> =>
  deleteRows(session, 'link', KEY, rows);
