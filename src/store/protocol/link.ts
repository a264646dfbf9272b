import { bulkDelete, bulkInsert, executeRows } from '../../db/bulk-statement.js';
import type { Session } from '../../db/statement.js';
import type { Written } from '../table.js';
import type { Tables } from '../tables.js';

/** A link by its target; `type` is 1 follow, 2 block, 0 another. */
export type LinkRow = Written<Tables['link']>;

const KEY = { target_fid: 'bigint', type: 'smallint', ts: 'integer', hash: 'bytea' } as const;

const insertLinkRows = bulkInsert('insert_links', 'link', { ...KEY, fid: 'bigint' });

export const insertLinks = (session: Session, rows: readonly LinkRow[]): Promise<void> =>
  executeRows(session, insertLinkRows, rows);

const deleteLinkRows = bulkDelete('delete_links', 'link', KEY);

export const deleteLinks = (session: Session, rows: readonly LinkRow[]): Promise<void> =>
  executeRows(session, deleteLinkRows, rows);

/** A block link, in the table that lists check. */
export type BlockRow = Written<Tables['block']>;

const BLOCK_KEY = { fid: 'bigint', blocked_fid: 'bigint' } as const;

const insertBlockRows = bulkInsert('insert_blocks', 'block', { ...BLOCK_KEY, ts: 'integer', hash: 'bytea' });

export const insertBlocks = (session: Session, rows: readonly BlockRow[]): Promise<void> =>
  executeRows(session, insertBlockRows, rows);

const deleteBlockRows = bulkDelete('delete_blocks', 'block', BLOCK_KEY);

export const deleteBlocks = (session: Session, rows: readonly BlockRow[]): Promise<void> =>
  executeRows(session, deleteBlockRows, rows);
