import { deleteRows, insertRows, rowSource } from './bulk.js';
import type { Session } from './database.js';

export interface CastId {
  readonly fid: number;
  readonly hash: Uint8Array;
}

/** Where a thread begins, as far as it is stored. */
export interface CastRoot {
  readonly root_fid: number;
  readonly root_hash: Uint8Array;
  readonly root_parent_url: string | null;
}

export interface CastRow extends CastId, CastRoot {
  readonly ts: number;
  readonly type: number;
  readonly text: string;
  readonly parent_fid: number | null;
  readonly parent_hash: Uint8Array | null;
  readonly parent_url: string | null;
  readonly mentions: readonly number[];
  /** UTF-8 byte offsets into `text`. */
  readonly mention_positions: readonly number[];
  readonly embeds: readonly ({ readonly url: string } | { readonly fid: number; readonly hash: string })[];
  readonly signer: Uint8Array;
}

/** A row of one of the tables that answer "which casts refer to this": the target and the cast. */
export interface CastReference {
  readonly fid: number;
  readonly hash: Uint8Array;
  readonly ts: number;
  /** Of the cast's thread. */
  readonly root_parent_url: string | null;
  /** The target's account, if the reference notifies it; null: nobody is notified. */
  readonly notified_fid: number | null;
}

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

export type ReplyRow = CastReference & { readonly parent_fid: number; readonly parent_hash: Uint8Array };
export type MentionRow = CastReference & { readonly mentioned_fid: number };
export type QuoteRow = CastReference & { readonly quoted_fid: number; readonly quoted_hash: Uint8Array };

/** The rows that stand and fall with casts. */
export interface CastRows {
  readonly casts: readonly CastRow[];
  readonly replies: readonly ReplyRow[];
  readonly mentions: readonly MentionRow[];
  readonly quotes: readonly QuoteRow[];
}

/** What a reference tells besides its key. */
const REFERENCE = { fid: 'bigint', root_parent_url: 'text', notified_fid: 'bigint' } as const;

export const insertCasts = async (session: Session, rows: CastRows): Promise<void> => {
  await insertRows(session, 'cast', COLUMNS, rows.casts);
  await insertRows(session, 'cast_hash', { hash: 'bytea', fid: 'bigint' }, rows.casts, 'on conflict do nothing');
  await insertRows(session, 'cast_reply', { ...REPLY, ...REFERENCE }, rows.replies, 'on conflict do nothing');
  await insertRows(session, 'cast_mention', { ...MENTION, ...REFERENCE }, rows.mentions, 'on conflict do nothing');
  await insertRows(session, 'cast_quote', { ...QUOTE, ...REFERENCE }, rows.quotes, 'on conflict do nothing');
};

export const deleteCasts = async (session: Session, rows: Omit<CastRows, 'casts'> & { casts: readonly CastId[] }) => {
  await deleteRows(session, 'cast', ID, rows.casts);
  await deleteRows(session, 'cast_hash', ID, rows.casts);
  await deleteRows(session, 'cast_reply', REPLY, rows.replies);
  await deleteRows(session, 'cast_mention', MENTION, rows.mentions);
  await deleteRows(session, 'cast_quote', QUOTE, rows.quotes);
};

/** @returns where the threads of these casts begin; casts that are not stored are left out. */
export const selectCastRoots = async (session: Session, ids: readonly CastId[]): Promise<(CastId & CastRoot)[]> => {
  if (ids.length === 0) return [];
  const source = rowSource(ID, ids);
  return session.select(
    `select c.fid, c.hash, c.root_fid, c.root_hash, c.root_parent_url
       from (${source.select}) k join "cast" c on c.fid = k.fid and c.hash = k.hash`,
    source.params,
  );
};

/**
 * Tells the casts whose thread was known only down to one of `found` where it begins now.
 * @returns the casts that changed.
 */
export const updateCastRoots = async (session: Session, found: readonly (CastId & CastRoot)[]): Promise<CastId[]> => {
  if (found.length === 0) return [];
  const source = rowSource({ ...ID, root_fid: 'bigint', root_hash: 'bytea', root_parent_url: 'text' }, found);
  return session.run<CastId>(
    `update "cast" c set root_fid = k.root_fid, root_hash = k.root_hash, root_parent_url = k.root_parent_url
       from (${source.select}) k
      where c.root_fid = k.fid and c.root_hash = k.hash and (c.fid, c.hash) <> (k.fid, k.hash)
        and (c.root_fid, c.root_hash, c.root_parent_url) is distinct from (k.root_fid, k.root_hash, k.root_parent_url)
     returning c.fid, c.hash`,
    source.params,
  );
};

/**
 * Casts below a removed one no longer reach further up than to it.
 * @returns the casts that changed.
 */
export const cutCastRoots = async (session: Session, removed: readonly CastId[]): Promise<CastId[]> => {
  if (removed.length === 0) return [];
  const source = rowSource(ID, removed);
  return session.select<CastId>(
    `with recursive below as (
       select k.fid as cut_fid, k.hash as cut_hash, r.fid, r.hash
         from (${source.select}) k join cast_reply r on r.parent_fid = k.fid and r.parent_hash = k.hash
       union all
       select b.cut_fid, b.cut_hash, r.fid, r.hash
         from below b join cast_reply r on r.parent_fid = b.fid and r.parent_hash = b.hash
     )
     update "cast" c set root_fid = b.cut_fid, root_hash = b.cut_hash, root_parent_url = null
       from below b
      where c.fid = b.fid and c.hash = b.hash
        and (c.root_fid, c.root_hash, c.root_parent_url) is distinct from (b.cut_fid, b.cut_hash, null::text)
     returning c.fid, c.hash`,
    source.params,
  );
};
