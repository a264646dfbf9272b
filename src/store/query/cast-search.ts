import { type Reader, type Statement, searchStatement } from '../database.js';
import { APP, CAST_ITEM, type FeedItem, type FeedPage, feedParams, LIMIT, VIEWER } from './feed.js';
import { visibleTo } from '../visibility.js';

export interface CastSearch {
  /** Text of a `tsquery` of the configuration `simple`; it must name a word that has to be there. */
  readonly words: string;
  readonly order: 'chron' | 'desc_chron';
  readonly authorFid: number | null;
  /** Keeps the threads that began under this URL. */
  readonly parentUrl: string | null;
  /** Protocol seconds, the first that counts. */
  readonly from: number;
  /** Protocol seconds, the first that does not count any more. */
  readonly until: number;
}

/** Casts at the beginning of a list that are looked through one by one before the index of words is asked. */
const NEAR = 300;

// In a subselect, because the plan that is kept for any parameters would otherwise build the query again for each row.
const RULES = `to_tsvector('simple', c.text) @@ (select to_tsquery('simple', $6)) and c.ts >= $7::integer and c.ts < $8::integer
  and ${visibleTo('c.fid', VIEWER, APP)}`;

interface Direction {
  readonly past: '>' | '<';
  readonly order: string;
}

const DIRECTIONS: Readonly<Record<CastSearch['order'], Direction>> = {
  desc_chron: { past: '<', order: 'c.ts desc, c.hash desc' },
  chron: { past: '>', order: 'c.ts, c.hash' },
};

/** All casts of one account are looked through: there are never many. */
const byAuthor = (name: string, { past, order }: Direction): Statement<FeedItem> =>
  searchStatement(
    `cast_search_author_${name}`,
    `select ${CAST_ITEM} from "cast" c
      where c.fid = $9 and (c.ts, c.hash) ${past} ($3::integer, $4::bytea)
        and ($10::text is null or c.root_parent_url = $10) and ${RULES}
      order by ${order} limit ${LIMIT}`,
  );

/**
 * The index of words knows no order: a word that stands in every tenth cast would be read to its end for each page.
 * Such words fill the page from the nearest casts; PostgreSQL goes on to the second part only when they did not.
 */
const everywhere = (name: string, { past, order }: Direction, place: string): Statement<FeedItem> => {
  const near = `from "cast" c where (c.ts, c.hash) ${past} ($3::integer, $4::bytea)
      and c.ts >= $7::integer and c.ts < $8::integer ${place} order by ${order}`;
  return searchStatement(
    `cast_search_${name}`,
    `with edge as materialized (select c.ts, c.hash ${near} offset ${NEAR - 1} limit 1)
     select ${CAST_ITEM} from (
       (select c.ts, c.hash from (select c.ts, c.hash, c.fid, c.text ${near} limit ${NEAR}) c
         where ${RULES} order by ${order})
       union all
       (select c.ts, c.hash from "cast" c
         where (c.ts, c.hash) ${past} (select edge.ts, edge.hash from edge) ${place} and ${RULES} order by ${order})
     ) c limit ${LIMIT}`,
  );
};

const PLACE = 'and c.root_parent_url = $9';

const LISTS = {
  desc_chron: {
    author: byAuthor('desc', DIRECTIONS.desc_chron),
    place: everywhere('place_desc', DIRECTIONS.desc_chron, PLACE),
    all: everywhere('desc', DIRECTIONS.desc_chron, ''),
  },
  chron: {
    author: byAuthor('asc', DIRECTIONS.chron),
    place: everywhere('place_asc', DIRECTIONS.chron, PLACE),
    all: everywhere('asc', DIRECTIONS.chron, ''),
  },
};

/** Casts whose text matches a query, by time. */
export const selectCastsByText = (session: Reader, search: CastSearch, page: FeedPage): Promise<FeedItem[]> => {
  const { words, order, authorFid, parentUrl, from, until } = search;
  const lists = LISTS[order];
  const first = { ts: -1, entry: '' };
  const place = order === 'chron' ? { ...page, after: page.after ?? first } : page;
  const params = [...feedParams(place), words, from, until];
  if (authorFid !== null) return session.read(lists.author, [...params, authorFid, parentUrl]);
  return parentUrl === null ? session.read(lists.all, params) : session.read(lists.place, [...params, parentUrl]);
};
