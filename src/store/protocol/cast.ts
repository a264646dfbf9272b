import type { Session } from '../../db/statement.js';
import { deleteRows, insertRows, readRows, writeRows } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

export interface CastId {
  readonly fid: number;
  readonly hash: Uint8Array;
}

/** `mentionPositions` are UTF-8 byte offsets into `text`. */
export type StoredCast = Camel<Written<Tables['cast']>> & {
  readonly embeds: readonly ({ readonly url: string } | { readonly fid: number; readonly hash: string })[];
};

/**
 * The top of a cast's thread: its ancestor without a parent cast, or, if one on the way is neither stored nor known as
 * removed, that missing one; then `rootParentUrl` is null.
 */
export type CastRoot = Pick<StoredCast, 'rootFid' | 'rootHash' | 'rootParentUrl'>;

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
export type ReplyRow = Camel<Written<Tables['cast_reply']>>;
export type MentionRow = Camel<Written<Tables['cast_mention']>>;
export type QuoteRow = Camel<Written<Tables['cast_quote']>>;

/** Rows that are inserted and deleted together with casts. */
export interface CastRows {
  readonly casts: readonly StoredCast[];
  readonly replies: readonly ReplyRow[];
  readonly mentions: readonly MentionRow[];
  readonly quotes: readonly QuoteRow[];
}

/** The columns of a reference other than its key. */
const REFERENCE = { fid: 'bigint', root_parent_url: 'text', notified_fid: 'bigint' } as const;

const inserts = {
  casts: insertRows('insert_casts', 'cast', COLUMNS).done(),
  replies: insertRows('insert_replies', 'cast_reply', { ...REPLY, ...REFERENCE }, 'on conflict do nothing').done(),
  mentions: insertRows(
    'insert_mentions',
    'cast_mention',
    { ...MENTION, ...REFERENCE },
    'on conflict do nothing',
  ).done(),
  quotes: insertRows('insert_quotes', 'cast_quote', { ...QUOTE, ...REFERENCE }, 'on conflict do nothing').done(),
};

export const insertCasts = async (session: Session, rows: CastRows): Promise<void> => {
  await inserts.casts(session, rows.casts);
  await inserts.replies(session, rows.replies);
  await inserts.mentions(session, rows.mentions);
  await inserts.quotes(session, rows.quotes);
};

const deletes = {
  casts: deleteRows('delete_casts', 'cast', ID).done(),
  vectors: deleteRows('delete_cast_vectors', 'cast_embedding', ID).done(),
  replies: deleteRows('delete_replies', 'cast_reply', REPLY).done(),
  mentions: deleteRows('delete_mentions', 'cast_mention', MENTION).done(),
  quotes: deleteRows('delete_quotes', 'cast_quote', QUOTE).done(),
};

export const deleteCasts = async (session: Session, rows: Omit<CastRows, 'casts'> & { casts: readonly CastId[] }) => {
  await deletes.casts(session, rows.casts);
  // After the casts: a vector is stored only while its cast is locked.
  await deletes.vectors(session, rows.casts);
  await deletes.replies(session, rows.replies);
  await deletes.mentions(session, rows.mentions);
  await deletes.quotes(session, rows.quotes);
};

/** @returns the thread roots of these casts, stored or removed; unknown casts are left out. */
export const selectCastRoots = readRows(
  'cast_roots',
  ID,
  (
    rows,
  ) => `select c.fid as "fid!", c.hash as "hash!", c.root_fid as "rootFid!", c.root_hash as "rootHash!", c.root_parent_url as "rootParentUrl"
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
export const updateCastRoots = writeRows(
  'update_cast_roots',
  ROOT,
  (rows) => `${moveBelow('"cast"', rows)}
   returning c.fid, c.hash`,
).rows((found: readonly (CastId & CastRoot)[]) => [found]);

/** As {@link updateCastRoots}, for removed casts. */
export const updateRemovedCastRoots = writeRows('update_removed_cast_roots', ROOT, (rows) =>
  moveBelow('removed_cast', rows),
).done((found: readonly (CastId & CastRoot)[]) => [found]);

type RemovedCastRow = Camel<Written<Tables['removed_cast']>>;

/** Keeps where these casts were, with their thread roots. */
export const insertRemovedCasts = insertRows(
  'insert_removed_casts',
  'removed_cast',
  { ...ROOT, parent_fid: 'bigint', parent_hash: 'bytea', parent_url: 'text' },
  'on conflict do nothing',
).done((casts: readonly RemovedCastRow[]) => [casts]);

/** For casts that are stored now. */
export const deleteRemovedCasts = deleteRows('delete_removed_casts', 'removed_cast', ID).done(
  (casts: readonly CastId[]) => [casts],
);
