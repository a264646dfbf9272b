import type { Reader } from '../../db/statement.js';
import { searchQuery } from '../query-function.js';

/** The casts that are counted, and the buckets of time into which they are sorted. */
export interface CastMetricSearch {
  /** For `search_query` of the database; it must have a required word. */
  readonly words: string;
  readonly authorFid: number | null;
  /** Keeps casts of threads under these URLs; null: all. */
  readonly parentUrls: readonly string[] | null;
  /** App whose banned accounts do not count. */
  readonly appId: string;
  /** Start of the first bucket, in protocol seconds. */
  readonly start: number;
  /** Seconds of a bucket. */
  readonly resolution: number;
  /** Inclusive, in protocol seconds, and not before `start`. */
  readonly from: number;
  /** Exclusive, in protocol seconds. */
  readonly until: number;
}

/** The casts of one bucket; buckets without casts have none. */
export interface CastMetric {
  /** Number of the bucket, from 0. */
  readonly bucket: number;
  readonly count: number;
}

/** Maximum of casts that have the words of a query; the word index finds them, and each takes 1 to 3 µs. */
const MOST = 200_000;
/** The same for a query with a phrase: the order of words is in no index, so each text is parsed again, in 20 µs. */
const MOST_WITH_PHRASE = 10_000;

/**
 * Counts at most a fixed number of candidates, because nothing interrupts the embedded database. Candidates are the casts
 * that match the query with its phrases taken apart, which the index finds exactly: `"a b" -c` becomes `a & b`. (Words
 * such as `foo-bar` and `東京` are phrases, too.) A query without phrases is taken as it is.
 */
const counted = <Of extends 'all' | 'place' | 'author'>(name: Of, narrowed: string) =>
  searchQuery(
    `cast_metric_${name}`,
    `with q as materialized (
       select s.whole, s.has_phrase, case when s.has_phrase then
                regexp_replace(querytree(s.whole), '<(-|\\d+)>', '&', 'g')::tsquery else s.whole end as loose,
              case when s.has_phrase then ${MOST_WITH_PHRASE} else ${MOST} end as most
         from (select w.whole, w.whole::text ~ '<(-|\\d+)>' and querytree(w.whole) <> 'T' as has_phrase
                 from (select search_query(:words) as whole) w) s
     )
     select c.bucket as "bucket!", (count(*) filter (where c.is_match))::integer as "count!",
            sum(count(*)) over () > (select most from q) as "tooMany!"
       from (
         select (c.ts - :start::integer) / :resolution::integer as bucket, case when (select has_phrase from q)
                  then search_vector(c.text) @@ (select whole from q) else true end as is_match
           from "cast" c
          where search_vector(c.text) @@ (select loose from q) and c.ts >= :from::integer and c.ts < :until::integer
            and c.fid not in (select ban.fid from ban where ban.app_id = :appId::uuid)${narrowed}
          limit (select most + 1 from q)
       ) c group by 1 order by 1`,
    // For a short time, only casts of that time are looked up in the word index; for a long one that would take longer.
    { isPlannedEachTime: true },
  ).rows();

const LISTS = {
  all: counted('all', ''),
  place: counted('place', ' and c.root_parent_url = any(:parentUrls::text[])'),
  author: counted(
    'author',
    ' and c.fid = :authorFid and (:parentUrls?::text[] is null or c.root_parent_url = any(:parentUrls?))',
  ),
};

/** @returns the buckets with casts, oldest first; undefined: too many casts have the words of the query */
export const selectCastMetrics = async (
  db: Reader,
  { words, authorFid, parentUrls, appId, start, resolution, from, until }: CastMetricSearch,
): Promise<CastMetric[] | undefined> => {
  const params = { words, start, resolution, from, until, appId };
  const rows = await (authorFid !== null
    ? LISTS.author(db, { ...params, authorFid, parentUrls })
    : parentUrls !== null
      ? LISTS.place(db, { ...params, parentUrls })
      : LISTS.all(db, params));
  return rows[0]?.tooMany ? undefined : rows;
};
