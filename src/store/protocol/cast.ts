import { bulkDelete, bulkInsert, runRows } from '../../db/bulk-statement.js';
import type { Session } from '../../db/statement.js';
import { readRows, writeRows } from '../query-function.js';
import type { Written } from '../table.js';
import type { Tables } from '../tables.js';

export interface CastId {
  readonly fid: number;
  readonly hash: Uint8Array;
}

/** `mention_positions` are UTF-8 byte offsets into `text`. */
export type CastRow = Written<Tables['cast']> & {
  readonly embeds: readonly ({ readonly url: string } | { readonly fid: number; readonly hash: string })[];
};

/**
 * The top of a cast's thread: its ancestor without a parent cast, or, if one on the way is neither stored nor known as
 * removed, that missing one; then `root_parent_url` is null.
 */
export type CastRoot = Pick<CastRow, 'root_fid' | 'root_hash' | 'root_parent_url'>;

const COLUMNS = {
  fid: 'bigint',
  hash: 'bytea',
  ts: 'integer',
  type: 'smallint',
  text: 'text',
  parent_fid: 'bigint',
  parent_hash: 'bytea',
  parent_url: 'text',
  root_fid: 'bigint',
  root_hash: 'bytea',
  root_parent_url: 'text',
  mentions: 'bigint[]',
  mention_positions: 'integer[]',
  embeds: 'jsonb',
  signer: 'bytea',
} as const;

const ID = { fid: 'bigint', hash: 'bytea' } as const;
const REPLY = { parent_fid: 'bigint', parent_hash: 'bytea', ts: 'integer', hash: 'bytea' } as const;
const MENTION = { mentioned_fid: 'bigint', ts: 'integer', hash: 'bytea' } as const;
const QUOTE = { quoted_fid: 'bigint', quoted_hash: 'bytea', ts: 'integer', hash: 'bytea' } as const;

// Rows of the tables that find the casts which refer to a target: the target and the cast.
export type ReplyRow = Written<Tables['cast_reply']>;
export type MentionRow = Written<Tables['cast_mention']>;
export type QuoteRow = Written<Tables['cast_quote']>;

/** Rows that are inserted and deleted together with casts. */
export interface CastRows {
  readonly casts: readonly CastRow[];
  readonly replies: readonly ReplyRow[];
  readonly mentions: readonly MentionRow[];
  readonly quotes: readonly QuoteRow[];
}

/** The columns of a reference other than its key. */
const REFERENCE = { fid: 'bigint', root_parent_url: 'text', notified_fid: 'bigint' } as const;

const inserts = {
  casts: bulkInsert('insert_casts', 'cast', COLUMNS),
  hashes: bulkInsert('insert_cast_hashes', 'cast_hash', { hash: 'bytea', fid: 'bigint' }, 'on conflict do nothing'),
  replies: bulkInsert('insert_replies', 'cast_reply', { ...REPLY, ...REFERENCE }, 'on conflict do nothing'),
  mentions: bulkInsert('insert_mentions', 'cast_mention', { ...MENTION, ...REFERENCE }, 'on conflict do nothing'),
  quotes: bulkInsert('insert_quotes', 'cast_quote', { ...QUOTE, ...REFERENCE }, 'on conflict do nothing'),
};

export const insertCasts = async (session: Session, rows: CastRows): Promise<void> => {
  await runRows(session, inserts.casts, rows.casts);
  await runRows(session, inserts.hashes, rows.casts);
  await runRows(session, inserts.replies, rows.replies);
  await runRows(session, inserts.mentions, rows.mentions);
  await runRows(session, inserts.quotes, rows.quotes);
};

const deletes = {
  casts: bulkDelete('delete_casts', 'cast', ID),
  hashes: bulkDelete('delete_cast_hashes', 'cast_hash', ID),
  replies: bulkDelete('delete_replies', 'cast_reply', REPLY),
  mentions: bulkDelete('delete_mentions', 'cast_mention', MENTION),
  quotes: bulkDelete('delete_quotes', 'cast_quote', QUOTE),
};

export const deleteCasts = async (session: Session, rows: Omit<CastRows, 'casts'> & { casts: readonly CastId[] }) => {
  await runRows(session, deletes.casts, rows.casts);
  await runRows(session, deletes.hashes, rows.casts);
  await runRows(session, deletes.replies, rows.replies);
  await runRows(session, deletes.mentions, rows.mentions);
  await runRows(session, deletes.quotes, rows.quotes);
};

/** @returns the thread roots of these casts, stored or removed; unknown casts are left out. */
export const selectCastRoots = readRows<CastId & CastRoot>(
  'cast_roots',
  ID,
  (rows) => `select c.fid, c.hash, c.root_fid, c.root_hash, c.root_parent_url
     from (${rows}) k join (
       select fid, hash, root_fid, root_hash, root_parent_url from "cast"
        union all
       select fid, hash, root_fid, root_hash, root_parent_url from removed_cast
     ) c on c.fid = k.fid and c.hash = k.hash`,
).rows((ids: readonly CastId[]) => [ids]);

const ROOT = { ...ID, root_fid: 'bigint', root_hash: 'bytea', root_parent_url: 'text' } as const;

/** Gives the casts of one table whose thread root was among these rows the roots of the rows. */
const moveBelow = (table: string, rows: string): string =>
  `update ${table} c set root_fid = k.root_fid, root_hash = k.root_hash, root_parent_url = k.root_parent_url
     from (${rows}) k
    where c.root_fid = k.fid and c.root_hash = k.hash and (c.fid, c.hash) <> (k.fid, k.hash)
      and (c.root_fid, c.root_hash, c.root_parent_url) is distinct from (k.root_fid, k.root_hash, k.root_parent_url)`;

/**
 * Moves casts that were below a missing cast to the root of its thread, now that it is known.
 * @param found the casts that were missing, with their roots
 * @returns the casts that changed
 */
export const updateCastRoots = writeRows<CastId>(
  'update_cast_roots',
  ROOT,
  (rows) => `${moveBelow('"cast"', rows)}
   returning c.fid, c.hash`,
).rows((found: readonly (CastId & CastRoot)[]) => [found]);

/** As {@link updateCastRoots}, for removed casts. */
export const updateRemovedCastRoots = writeRows('update_removed_cast_roots', ROOT, (rows) =>
  moveBelow('removed_cast', rows),
).done((found: readonly (CastId & CastRoot)[]) => [found]);

type RemovedCastRow = Written<Tables['removed_cast']>;

const removed = {
  insert: bulkInsert(
    'insert_removed_casts',
    'removed_cast',
    { ...ROOT, parent_fid: 'bigint', parent_hash: 'bytea', parent_url: 'text' },
    'on conflict do nothing',
  ),
  delete: bulkDelete('delete_removed_casts', 'removed_cast', ID),
};

/** Keeps where these casts were, with their thread roots. */
export const insertRemovedCasts = async (session: Session, casts: readonly RemovedCastRow[]): Promise<void> => {
  await runRows(session, removed.insert, casts);
};

/** For casts that are stored now. */
export const deleteRemovedCasts = async (session: Session, casts: readonly CastId[]): Promise<void> => {
  await runRows(session, removed.delete, casts);
};
