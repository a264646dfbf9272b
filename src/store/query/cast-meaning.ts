import type { Reader } from '../../db/statement.js';
import { readQuery, searchQuery, writeRows } from '../query-function.js';
import { type Audience, visibleTo } from '../visibility.js';

/** Changes when a cast is stored; an import writes no events. @returns the last event and the newest cast */
export const selectNewestCast = readQuery(
  'newest_cast',
  `select concat(
     (select max(id) from hub_event), ' ',
     (select encode(hash, 'hex') from "cast" order by ts desc, hash desc limit 1)) as "state!"`,
).valueOr('state', '');

/** A cast that no vector is stored of; the hash as 20 bytes. */
export interface UnreadCast {
  readonly fid: number;
  readonly hash: Buffer;
  readonly text: string;
}

/**
 * @returns casts with a text and without a vector of the model, the newest first
 * @param newest casts that are looked at
 */
export const selectCastsWithoutVector = readQuery(
  'casts_without_vector',
  `select c.fid, c.hash, c.text
     from (select fid, hash, ts, text from "cast" order by ts desc, hash desc limit :newest) c
    where c.text <> ''
      and not exists (select from cast_embedding e where e.fid = c.fid and e.hash = c.hash and e.model = :model)
    order by c.ts desc, c.hash desc limit :limit`,
).rows((model: string, newest: number, limit: number) => ({ model, newest, limit }));

export interface CastVector {
  readonly fid: number;
  /** 20 bytes. */
  readonly hash: Buffer;
  readonly model: string;
  /** One signed byte for each dimension; empty for a text that the model refused. */
  readonly vector: Buffer;
}

/** Stores vectors, replacing those of another model. Casts that are being removed are left out. */
export const upsertCastVectors = writeRows(
  'upsert_cast_vectors',
  { fid: 'bigint', hash: 'bytea', model: 'text', vector: 'bytea' },
  (rows) => `insert into cast_embedding (fid, hash, model, vector)
    select n.fid, n.hash, n.model, n.vector from (${rows}) n join "cast" c on c.fid = n.fid and c.hash = n.hash
       for key share of c skip locked
    on conflict (fid, hash) do update set model = excluded.model, vector = excluded.vector`,
).done((rows: readonly CastVector[]) => [rows]);

/** The casts among which a search by meaning looks. */
export interface MeaningScope {
  readonly model: string;
  readonly audience: Audience;
  readonly authorFid: number | null;
  /** Keeps casts of threads under these URLs; null: all. */
  readonly parentUrls: readonly string[] | null;
  /** Inclusive, in protocol seconds. */
  readonly from: number;
  /** Exclusive, in protocol seconds. */
  readonly until: number;
}

/** The vector of a cast, null without one; the hash as hex without 0x. */
export interface FoundVector {
  readonly ts: number;
  readonly hash: string;
  readonly vector: Buffer | null;
}

/** Before every hash. */
const FIRST_HASH = Buffer.alloc(0);

/** The newest casts before a place. */
const newest = (condition: string): string =>
  `select c.fid, c.hash, c.ts from "cast" c
    where c.ts >= :from::integer and (c.ts, c.hash) < (:ts::integer, :hash::bytea) and ${condition}
      and ${visibleTo('c.fid', ':viewer?', ':appId')}
    order by c.ts desc, c.hash desc limit :limit`;

const vectorsOf = <Of extends 'all' | 'author' | 'place'>(name: Of, casts: string) =>
  searchQuery(
    `cast_vectors_${name}`,
    `select c.ts, encode(c.hash, 'hex') as "hash!", e.vector
       from (${casts}) c left join cast_embedding e on e.fid = c.fid and e.hash = c.hash and e.model = :model
      order by c.ts desc, c.hash desc`,
  ).rows();

const all = vectorsOf('all', newest('true'));
const ofAuthor = vectorsOf(
  'author',
  newest('c.fid = :authorFid and (:parentUrls?::text[] is null or c.root_parent_url = any(:parentUrls?))'),
);
const ofPlaces = vectorsOf(
  'place',
  `select c.fid, c.hash, c.ts
       from unnest(:parentUrls::text[]) as k(url) cross join lateral (${newest('c.root_parent_url = k.url')}) c
      order by c.ts desc, c.hash desc limit :limit`,
);

/**
 * @param after the last cast of the rows before; undefined: none was read
 * @returns the next newest casts of a scope with their vectors, the newest first
 */
export const selectCastVectors = (
  session: Reader,
  scope: MeaningScope,
  after: FoundVector | undefined,
  limit: number,
): Promise<FoundVector[]> => {
  const { audience, model, from, until, authorFid, parentUrls } = scope;
  const place = { ts: after?.ts ?? until, hash: after === undefined ? FIRST_HASH : Buffer.from(after.hash, 'hex') };
  const page = { viewer: audience.viewer, appId: audience.appId, model, from, ...place, limit };
  if (authorFid !== null) return ofAuthor(session, { ...page, authorFid, parentUrls });
  return parentUrls === null ? all(session, page) : ofPlaces(session, { ...page, parentUrls });
};
