import { type Database, statement } from './database.js';

/** What the tables say about one cast: hashes and keys as hex without 0x, ts in protocol seconds. */
export interface CastRow {
  readonly fid: number;
  readonly hash: string;
  readonly ts: number;
  /** Without the mentioned names, as the protocol has it. */
  readonly text: string;
  readonly parent_fid: number | null;
  readonly parent_hash: string | null;
  readonly parent_url: string | null;
  readonly root_hash: string;
  readonly root_parent_url: string | null;
  readonly mentions: number[];
  /** UTF-8 byte offsets into `text`, one for each mention. */
  readonly mention_positions: number[];
  readonly embeds: CastRowEmbed[];
  readonly signer: string;
  readonly like_count: number;
  readonly recast_count: number;
  readonly reply_count: number;
  readonly quote_count: number;
}

export type CastRowEmbed = { readonly url: string } | { readonly fid: number; readonly hash: string };

const castsByHash = statement<CastRow>(
  'cast_by_hash',
  `select c.fid, encode(c.hash, 'hex') as hash, c.ts, c.text, c.parent_fid, encode(c.parent_hash, 'hex') as parent_hash,
          c.parent_url, encode(c.root_hash, 'hex') as root_hash, c.root_parent_url, c.mentions, c.mention_positions,
          c.embeds, encode(c.signer, 'hex') as signer,
          coalesce(n.like_count, 0) as like_count, coalesce(n.recast_count, 0) as recast_count,
          coalesce(n.reply_count, 0) as reply_count, coalesce(n.quote_count, 0) as quote_count
     from cast_hash h
     join "cast" c on c.fid = h.fid and c.hash = h.hash
     left join cast_count n on n.fid = c.fid and n.hash = c.hash
    where h.hash = any($1::bytea[])`,
);

/**
 * @param hashes 40 hex digits each, without 0x
 * @returns the casts among them that are stored, in no order.
 */
export const selectCasts = (db: Database, hashes: readonly string[]): Promise<CastRow[]> =>
  db.read(castsByHash, [hashes.map((hash) => Buffer.from(hash, 'hex'))]);

const authorByHash = statement<{ fid: number }>('cast_author', 'select fid from cast_hash where hash = $1');

/**
 * @param hash 40 hex digits, without 0x
 * @returns who wrote the cast; undefined when it is not stored.
 */
export const selectCastAuthor = async (db: Database, hash: string): Promise<number | undefined> =>
  (await db.read(authorByHash, [Buffer.from(hash, 'hex')]))[0]?.fid;

const castsByPrefix = statement<{ hash: string }>(
  'cast_by_prefix',
  `select encode(c.hash, 'hex') as hash
     from "cast" c
    where c.fid = $1 and c.hash >= $2 and c.hash <= $3
    order by c.hash
    limit 2`,
);

/**
 * @param prefix 1 to 40 hex digits, without 0x
 * @returns the hash of the account's only cast whose hash begins so; undefined when none does, or more than one.
 */
export const selectCastByPrefix = async (db: Database, fid: number, prefix: string): Promise<string | undefined> => {
  const bounds = ['0', 'f'].map((digit) => Buffer.from(prefix.padEnd(40, digit), 'hex'));
  const rows = await db.read(castsByPrefix, [fid, ...bounds]);
  return rows.length === 1 ? rows[0]?.hash : undefined;
};
