import { deleteRows, insertRows } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

/** A link by its target; `type` is 1 follow, 2 block, 0 another. */
export type LinkRow = Camel<Written<Tables['link']>>;

const KEY = { target_fid: 'bigint', type: 'smallint', ts: 'integer', hash: 'bytea' } as const;

export const insertLinks = insertRows('insert_links', 'link', { ...KEY, fid: 'bigint' }).done(
  (rows: readonly LinkRow[]) => [rows],
);

export const deleteLinks = deleteRows('delete_links', 'link', KEY).done((rows: readonly LinkRow[]) => [rows]);

/** A block link, in the table that lists check. */
export type BlockRow = Camel<Written<Tables['block']>>;

const BLOCK_KEY = { fid: 'bigint', blocked_fid: 'bigint' } as const;

export const insertBlocks = insertRows('insert_blocks', 'block', { ...BLOCK_KEY, ts: 'integer', hash: 'bytea' }).done(
  (rows: readonly BlockRow[]) => [rows],
);

export const deleteBlocks = deleteRows('delete_blocks', 'block', BLOCK_KEY).done((rows: readonly BlockRow[]) => [rows]);
