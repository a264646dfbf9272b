import type { Reader } from '../../db/statement.js';
import { searchQuery } from '../query-function.js';
import { visibleTo } from '../visibility.js';
import { APP, BEFORE, CAST_ITEM, type FeedItem, type FeedPage, feedParams, LIMIT, VIEWER } from './feed.js';

export interface CastSearch {
  /** For `search_query` of the database; it must have a required word. */
  readonly words: string;
  readonly order: 'chron' | 'desc_chron';
  readonly authorFid: number | null;
  /** Keeps casts of threads under these URLs; null: all. */
  readonly parentUrls: readonly string[] | null;
  /** Inclusive, in protocol seconds. */
  readonly from: number;
  /** Exclusive, in protocol seconds. */
  readonly until: number;
}

/** Number of casts at the beginning of a list that are checked one by one before the word index is used. */
const NEAR = 300;

// The subselect keeps a generic plan from parsing the query again for each row.
const RULES = `search_vector(c.text) @@ (select search_query(:words)) and c.ts >= :from::integer and c.ts < :until::integer
  and ${visibleTo('c.fid', VIEWER, APP)}`;

interface Direction {
  readonly past: '>' | '<';
  readonly order: string;
}

const DIRECTIONS: Readonly<Record<CastSearch['order'], Direction>> = {
  desc_chron: { past: '<', order: 'c.ts desc, c.hash desc' },
  chron: { past: '>', order: 'c.ts, c.hash' },
};

/** Reads all casts of one account, of which there are never many. */
const byAuthor = (name: 'asc' | 'desc', { past, order }: Direction) =>
  searchQuery(
    `cast_search_author_${name}`,
    `select ${CAST_ITEM} from "cast" c
      where c.fid = :authorFid and (c.ts, c.hash) ${past} ${BEFORE}
        and (:parentUrls?::text[] is null or c.root_parent_url = any(:parentUrls?)) and ${RULES}
      order by ${order} limit ${LIMIT}`,
  ).rows();

/**
 * The word index is not ordered by time, so a frequent word would be read completely for each page. The casts next to
 * the page's start contain enough of such words; PostgreSQL reads the second part only if they do not fill it.
 */
const everywhere = <Of extends 'asc' | 'desc' | 'place_asc' | 'place_desc'>(
  name: Of,
  { past, order }: Direction,
  isPlace: boolean,
) => {
  const inTime = `(c.ts, c.hash) ${past} ${BEFORE} and c.ts >= :from::integer and c.ts < :until::integer`;
  const near = isPlace
    ? `from unnest(:parentUrls::text[]) as k(url) cross join lateral (
         select c.ts, c.hash, c.fid, c.text from "cast" c
          where c.root_parent_url = k.url and ${inTime} order by ${order} limit ${NEAR}) c order by ${order}`
    : `from "cast" c where ${inTime} order by ${order}`;
  const place = isPlace ? 'and c.root_parent_url = any(:parentUrls::text[])' : '';
  return searchQuery(
    `cast_search_${name}`,
    `with edge as materialized (select c.ts, c.hash ${near} offset ${NEAR - 1} limit 1)
     select ${CAST_ITEM} from (
       (select c.ts, c.hash from (select c.ts, c.hash, c.fid, c.text ${near} limit ${NEAR}) c
         where ${RULES} order by ${order})
       union all
       (select c.ts, c.hash from "cast" c
         where (c.ts, c.hash) ${past} (select edge.ts, edge.hash from edge) ${place} and ${RULES} order by ${order})
     ) c limit ${LIMIT}`,
  ).rows();
};

const LISTS = {
  desc_chron: {
    author: byAuthor('desc', DIRECTIONS.desc_chron),
    place: everywhere('place_desc', DIRECTIONS.desc_chron, true),
    all: everywhere('desc', DIRECTIONS.desc_chron, false),
  },
  chron: {
    author: byAuthor('asc', DIRECTIONS.chron),
    place: everywhere('place_asc', DIRECTIONS.chron, true),
    all: everywhere('asc', DIRECTIONS.chron, false),
  },
};

export const selectCastsByText = (session: Reader, search: CastSearch, page: FeedPage): Promise<FeedItem[]> => {
  const { words, order, authorFid, parentUrls, from, until } = search;
  const lists = LISTS[order];
  const first = { ts: -1, entry: '' };
  const place = order === 'chron' ? { ...page, after: page.after ?? first } : page;
  const params = { ...feedParams(place), words, from, until };
  if (authorFid !== null) return lists.author(session, { ...params, authorFid, parentUrls });
  return parentUrls === null ? lists.all(session, params) : lists.place(session, { ...params, parentUrls });
};
