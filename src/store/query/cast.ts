import type { Reader } from '../../db/statement.js';
import { type RowOf, readQuery } from '../query-function.js';
import { feedOf } from '../tag.js';

/**
 * The stored data of one cast: hashes as hex without 0x, ts in protocol seconds, `text` without the mentioned names and
 * `mentionPositions` as UTF-8 byte offsets into it, as in the protocol. Empty lists are null. `appFid` is the account of
 * the app whose key signed the cast; null: unknown.
 */
export type CastRow = RowOf<'cast_by_hash'>;

// `active` is not checked, because the key of a removed app still counts for old casts. The subselect hides the number of
// hashes: PostgreSQL would make a new plan for each short list, which takes longer than reading it.
/**
 * @param hashes 40 hex digits each, without 0x
 * @returns the stored ones, in no order
 */
export const selectCasts = readQuery(
  'cast_by_hash',
  `select c.fid, encode(c.hash, 'hex') as "hash!", c.ts, c.text, c.parent_fid as "parentFid",
          encode(c.parent_hash, 'hex') as "parentHash", c.parent_url as "parentUrl", encode(c.root_hash, 'hex') as "rootHash!",
          c.root_parent_url as "rootParentUrl", nullif(c.mentions, '{}') as mentions,
          nullif(c.mention_positions, '{}') as "mentionPositions", nullif(c.embeds, '[]') as embeds,
          k.request_fid as "appFid", coalesce(n.like_count, 0) as "likeCount!",
          coalesce(n.recast_count, 0) as "recastCount!", coalesce(n.reply_count, 0) as "replyCount!",
          coalesce(n.quote_count, 0) as "quoteCount!"
     from "cast" c
     left join cast_count n on n.fid = c.fid and n.hash = c.hash
     left join signer_key k on k.fid = c.fid and k.key = c.signer and k.key_type = 1
    where c.hash = any((select :hashes::bytea[])::bytea[])`,
).rows((hashes: readonly string[]) =>
  hashes.length === 0 ? undefined : { hashes: hashes.map((hash) => Buffer.from(hash, 'hex')) },
);

/**
 * @param hash 40 hex digits, without 0x
 * @returns the cast's author; undefined when it is not stored
 */
export const selectCastAuthor = readQuery('cast_author', 'select fid from "cast" where hash = :hash').value(
  'fid',
  (hash: string) => ({ hash: Buffer.from(hash, 'hex') }),
);

const selectCastsByPrefix = readQuery(
  'cast_by_prefix',
  `select encode(c.hash, 'hex') as "hash!"
     from "cast" c
    where c.fid = :fid and c.hash >= :first and c.hash <= :last
    order by c.hash
    limit 2`,
  ({ fid }) => [feedOf(fid)],
).column('hash');

/**
 * @param prefix 1 to 40 hex digits, without 0x
 * @returns the hash of the account's only cast with this prefix; undefined for none or several
 */
export const selectCastByPrefix = async (db: Reader, fid: number, prefix: string): Promise<string | undefined> => {
  const bound = (digit: string): Buffer => Buffer.from(prefix.padEnd(40, digit), 'hex');
  const [hash, ...more] = await selectCastsByPrefix(db, { fid, first: bound('0'), last: bound('f') });
  return more.length === 0 ? hash : undefined;
};

/** What a cast says about itself and its place in a thread; hashes as hex without 0x. */
export interface CastPlace {
  readonly fid: number;
  readonly hash: string;
  /** Both null: no reply to a cast. */
  readonly parentFid: number | null;
  readonly parentHash: string | null;
}

/** What is stored about a cast that is not stored itself; `rootHash` is null if neither it nor its parent is known. */
export type UnstoredCastRow = RowOf<'unstored_cast'>;

const bytesOf = (hash: string | null): Buffer | null => (hash === null ? null : Buffer.from(hash, 'hex'));

const placeParams = (places: readonly CastPlace[]) => ({
  fids: places.map(({ fid }) => fid),
  hashes: places.map(({ hash }) => Buffer.from(hash, 'hex')),
  parentFids: places.map(({ parentFid }) => parentFid),
  parentHashes: places.map(({ parentHash }) => bytesOf(parentHash)),
});

/** The parameters of `placeParams` for `unnest`. The subselects hide the number of casts: see `selectCasts`. */
const PLACES = `(select :fids::bigint[])::bigint[], (select :hashes::bytea[])::bytea[],
                 (select :parentFids?::bigint[])::bigint[], (select :parentHashes?::bytea[])::bytea[]`;

/**
 * Selects what a removed cast is shown with beside its message.
 * @param casts `signer` is the key that signed the cast
 * @returns a row for each cast, in no order
 */
export const selectUnstoredCasts = readQuery(
  'unstored_cast',
  `select encode(u.hash, 'hex') as "hash!", encode(coalesce(r.root_hash, p.root_hash), 'hex') as "rootHash",
          coalesce(r.root_parent_url, p.root_parent_url) as "rootParentUrl", k.request_fid as "appFid",
          coalesce(n.like_count, 0) as "likeCount!", coalesce(n.recast_count, 0) as "recastCount!",
          coalesce(n.reply_count, 0) as "replyCount!", coalesce(n.quote_count, 0) as "quoteCount!"
     from unnest(${PLACES}, (select :signers::bytea[])::bytea[]) as u(fid, hash, parent_fid, parent_hash, signer)
     left join removed_cast r on r.fid = u.fid and r.hash = u.hash
     left join "cast" p on p.fid = u.parent_fid and p.hash = u.parent_hash
     left join cast_count n on n.fid = u.fid and n.hash = u.hash
     left join signer_key k on k.fid = u.fid and k.key = u.signer and k.key_type = 1`,
).rows((casts: readonly (CastPlace & { readonly signer: Uint8Array })[]) => ({
  ...placeParams(casts),
  signers: casts.map(({ signer }) => signer),
}));

/**
 * @param replies stored or not
 * @returns parent URLs of their threads by hash, as far as the cast or its parent is known
 */
export const selectRootParentUrls = readQuery(
  'cast_root_parent_url',
  `select encode(u.hash, 'hex') as "hash!",
          coalesce(c.root_parent_url, r.root_parent_url, p.root_parent_url) as "rootParentUrl"
     from unnest(${PLACES}) as u(fid, hash, parent_fid, parent_hash)
     left join "cast" c on c.fid = u.fid and c.hash = u.hash
     left join removed_cast r on r.fid = u.fid and r.hash = u.hash
     left join "cast" p on p.fid = u.parent_fid and p.hash = u.parent_hash`,
).columnMap('hash', 'rootParentUrl', (replies: readonly CastPlace[]) =>
  replies.length === 0 ? undefined : placeParams(replies),
);

/** @returns the newest cast, and the newest one of another author, as far as there are such */
export const selectNewestCasts = readQuery(
  'newest_cast_authors',
  `select fid, encode(hash, 'hex') as "hash!" from (
      select distinct on (fid) fid, hash, ts
        from (select fid, hash, ts from "cast" order by ts desc, hash desc limit 50) newest
       order by fid, ts desc, hash desc) latest
    order by ts desc, hash desc limit 2`,
).rows();
