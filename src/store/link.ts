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

/** A block link as the visibility of lists asks for it. */
export interface BlockRow {
  readonly fid: number;
  readonly blocked_fid: number;
  readonly ts: number;
  readonly hash: Uint8Array;
}

const BLOCK_KEY = { fid: 'bigint', blocked_fid: 'bigint' } as const;

export const insertBlocks = async (session: Session, rows: readonly BlockRow[]): Promise<void> => {
  await insertRows(session, 'block', { ...BLOCK_KEY, ts: 'integer', hash: 'bytea' }, rows);
};

export const deleteBlocks = (session: Session, rows: readonly BlockRow[]): Promise<void> =>
  deleteRows(session, 'block', BLOCK_KEY, rows);
