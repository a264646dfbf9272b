import { arrayStatement, type ColumnsOf, type Param, type Reader, statement } from '../../db/statement.js';
import { readQuery } from '../query-function.js';
import { feedOf } from '../tag.js';

/** The stored data of one cast: hashes as hex without 0x, ts in protocol seconds. */
export interface CastRow {
  readonly fid: number;
  readonly hash: string;
  readonly ts: number;
  /** Without the mentioned names, as in the protocol. */
  readonly text: string;
  readonly parent_fid: number | null;
  readonly parent_hash: string | null;
  readonly parent_url: string | null;
  readonly root_hash: string;
  readonly root_parent_url: string | null;
  /** Null: none. */
  readonly mentions: readonly number[] | null;
  /** UTF-8 byte offsets into `text`, one for each mention; null: none. */
  readonly mention_positions: readonly number[] | null;
  /** Null: none. */
  readonly embeds: readonly CastRowEmbed[] | null;
  /** What was found at embedded addresses, `EmbedUrlMetadata` of the interface by address; null: nothing. */
  readonly url_metadata: Readonly<Record<string, object>> | null;
  /** Account of the app whose key signed the cast; null: unknown. */
  readonly app_fid: number | null;
  readonly like_count: number;
  readonly recast_count: number;
  readonly reply_count: number;
  readonly quote_count: number;
}

export type CastRowEmbed = { readonly url: string } | { readonly fid: number; readonly hash: string };

type Names = [
  ...['fid', 'hash', 'ts', 'text', 'parent_fid', 'parent_hash', 'parent_url', 'root_hash', 'root_parent_url'],
  ...[
    'mentions',
    'mention_positions',
    'embeds',
    'url_metadata',
    'app_fid',
    'like_count',
    'recast_count',
    'reply_count',
    'quote_count',
  ],
];
type Columns = ColumnsOf<CastRow, Names>;

// Empty lists are null, which costs the driver nothing. `active` is not checked, because the key of a removed app still
// counts for old casts. The subselect hides the number of hashes: PostgreSQL would make a new plan for each short list,
// which takes longer than reading it. `limit 1` keeps PostgreSQL, which takes a cast to have 100 embeds, from reading all
// metadata to join it.
const castsByHash = arrayStatement<Columns>(
  'cast_by_hash',
  `select c.fid, encode(c.hash, 'hex'), c.ts, c.text, c.parent_fid, encode(c.parent_hash, 'hex'), c.parent_url,
          encode(c.root_hash, 'hex'), c.root_parent_url, nullif(c.mentions, '{}'), nullif(c.mention_positions, '{}'),
          nullif(c.embeds, '[]'),
          case when c.embeds <> '[]' then (
            select jsonb_object_agg(e ->> 'url', u.metadata)
              from jsonb_array_elements(c.embeds) e
             cross join lateral (
               select metadata from url_metadata
                where url = e ->> 'url' and metadata ->> '_status' = 'RESOLVED' limit 1) u) end,
          k.request_fid, coalesce(n.like_count, 0), coalesce(n.recast_count, 0),
          coalesce(n.reply_count, 0), coalesce(n.quote_count, 0)
     from cast_hash h
     join "cast" c on c.fid = h.fid and c.hash = h.hash
     left join cast_count n on n.fid = c.fid and n.hash = c.hash
     left join signer_key k on k.fid = c.fid and k.key = c.signer and k.key_type = 1
    where h.hash = any((select $1::bytea[])::bytea[])`,
);

const castRow = (columns: Columns): CastRow => {
  const [fid, hash, ts, text, parent_fid, parent_hash, parent_url, root_hash, root_parent_url, ...more] = columns;
  const [
    mentions,
    mention_positions,
    embeds,
    url_metadata,
    app_fid,
    like_count,
    recast_count,
    reply_count,
    quote_count,
  ] = more;
  return {
    fid,
    hash,
    ts,
    text,
    parent_fid,
    parent_hash,
    parent_url,
    root_hash,
    root_parent_url,
    mentions,
    mention_positions,
    embeds,
    url_metadata,
    app_fid,
    like_count,
    recast_count,
    reply_count,
    quote_count,
  };
};

/**
 * @param hashes 40 hex digits each, without 0x
 * @returns the stored ones, in no order
 */
export const selectCasts = async (db: Reader, hashes: readonly string[]): Promise<CastRow[]> =>
  (await db.read(castsByHash, [hashes.map((hash) => Buffer.from(hash, 'hex'))])).map(castRow);

/**
 * @param hash 40 hex digits, without 0x
 * @returns the cast's author; undefined when it is not stored
 */
export const selectCastAuthor = readQuery<{ fid: number }>(
  'cast_author',
  'select fid from cast_hash where hash = $1',
).value('fid', (hash: string) => [Buffer.from(hash, 'hex')]);

const castsByPrefix = statement<{ hash: string }>(
  'cast_by_prefix',
  `select encode(c.hash, 'hex') as hash
     from "cast" c
    where c.fid = $1 and c.hash >= $2 and c.hash <= $3
    order by c.hash
    limit 2`,
  ([fid]) => [feedOf(fid as number)],
);

/**
 * @param prefix 1 to 40 hex digits, without 0x
 * @returns the hash of the account's only cast with this prefix; undefined for none or several
 */
export const selectCastByPrefix = async (db: Reader, fid: number, prefix: string): Promise<string | undefined> => {
  const bounds = ['0', 'f'].map((digit) => Buffer.from(prefix.padEnd(40, digit), 'hex'));
  const rows = await db.read(castsByPrefix, [fid, ...bounds]);
  return rows.length === 1 ? rows[0]?.hash : undefined;
};

/** What a cast says about itself and its place in a thread; hashes as hex without 0x. */
export interface CastPlace {
  readonly fid: number;
  readonly hash: string;
  /** Both null: no reply to a cast. */
  readonly parent_fid: number | null;
  readonly parent_hash: string | null;
}

/** What is stored about a cast that is not stored itself. */
export interface UnstoredCastRow
  extends Pick<CastRow, 'hash' | 'app_fid' | 'like_count' | 'recast_count' | 'reply_count' | 'quote_count'> {
  /** Root of the thread; null if neither the cast nor its parent is known. */
  readonly root_hash: string | null;
  readonly root_parent_url: string | null;
}

const bytesOf = (hash: string | null): Buffer | null => (hash === null ? null : Buffer.from(hash, 'hex'));

const placeParams = (places: readonly CastPlace[]): Param[] => [
  places.map(({ fid }) => fid),
  places.map(({ hash }) => bytesOf(hash)),
  places.map(({ parent_fid }) => parent_fid),
  places.map(({ parent_hash }) => bytesOf(parent_hash)),
];

// The subselects hide the number of casts: see castsByHash.
/**
 * Selects what a removed cast is shown with beside its message.
 * @param casts `signer` is the key that signed the cast
 * @returns a row for each cast, in no order
 */
export const selectUnstoredCasts = readQuery<UnstoredCastRow>(
  'unstored_cast',
  `select encode(u.hash, 'hex') as hash, encode(coalesce(r.root_hash, p.root_hash), 'hex') as root_hash,
          coalesce(r.root_parent_url, p.root_parent_url) as root_parent_url, k.request_fid as app_fid, coalesce(n.like_count, 0) as like_count, coalesce(n.recast_count, 0) as recast_count,
          coalesce(n.reply_count, 0) as reply_count, coalesce(n.quote_count, 0) as quote_count
     from unnest((select $1::bigint[])::bigint[], (select $2::bytea[])::bytea[], (select $3::bigint[])::bigint[],
                 (select $4::bytea[])::bytea[], (select $5::bytea[])::bytea[]) as u(fid, hash, parent_fid, parent_hash, signer)
     left join removed_cast r on r.fid = u.fid and r.hash = u.hash
     left join "cast" p on p.fid = u.parent_fid and p.hash = u.parent_hash
     left join cast_count n on n.fid = u.fid and n.hash = u.hash
     left join signer_key k on k.fid = u.fid and k.key = u.signer and k.key_type = 1`,
).rows((casts: readonly (CastPlace & { readonly signer: Uint8Array })[]) => [
  ...placeParams(casts),
  casts.map(({ signer }) => signer),
]);

/**
 * @param replies stored or not
 * @returns parent URLs of their threads by hash, as far as the cast or its parent is known
 */
export const selectRootParentUrls = readQuery<{ readonly hash: string; readonly root_parent_url: string | null }>(
  'cast_root_parent_url',
  `select encode(u.hash, 'hex') as hash, coalesce(c.root_parent_url, r.root_parent_url, p.root_parent_url) as root_parent_url
     from unnest((select $1::bigint[])::bigint[], (select $2::bytea[])::bytea[], (select $3::bigint[])::bigint[],
                 (select $4::bytea[])::bytea[]) as u(fid, hash, parent_fid, parent_hash)
     left join "cast" c on c.fid = u.fid and c.hash = u.hash
     left join removed_cast r on r.fid = u.fid and r.hash = u.hash
     left join "cast" p on p.fid = u.parent_fid and p.hash = u.parent_hash`,
).columnMap('hash', 'root_parent_url', (replies: readonly CastPlace[]) =>
  replies.length === 0 ? undefined : placeParams(replies),
);

/** @returns the newest cast, and the newest one of another author, as far as there are such */
export const selectNewestCasts = readQuery<{ fid: number; hash: string }>(
  'newest_cast_authors',
  `select fid, encode(hash, 'hex') as hash from (
      select distinct on (fid) fid, hash, ts
        from (select fid, hash, ts from "cast" order by ts desc, hash desc limit 50) newest
       order by fid, ts desc, hash desc) latest
    order by ts desc, hash desc limit 2`,
).rows(() => []);
