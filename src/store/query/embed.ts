import { readQuery } from '../query-function.js';
import { visibleTo } from '../visibility.js';
import { APP, BEFORE, CAST_ITEM, type FeedPage, feedParams, LIMIT, VIEWER } from './feed.js';

/** Number of newest casts that are checked one by one before the term index is used. */
const RECENT = 400;

const MATCH = `c.embeds <> '[]' and embed_terms(c.embeds) && :terms::text[]
  and (:prefix?::text is null or exists (
    select from jsonb_array_elements(c.embeds) e
      cross join lateral (select substring(e.value ->> 'url' from '^[^/?#]*//[^/?#]*') as host) h
     where starts_with(lower(host) || substr(e.value ->> 'url', length(host) + 1), :prefix?)))
  and ${visibleTo('c.fid', VIEWER, APP)}`;

/** The newest casts with an embed of each of these types. @param column what is compared with the types */
const typed = (types: string, column: string): string => `select x.ts, x.hash
       from unnest(${types}::text[]) as t(type) cross join lateral (
         select distinct u.ts, u.hash
           from cast_url u join "cast" h on h.hash = u.hash
          where ${column} = t.type and u.type is not null and (u.ts, u.hash) < ${BEFORE}
            and ${visibleTo('h.fid', VIEWER, APP)}
          order by u.ts desc, u.hash desc limit ${LIMIT}) x`;

/**
 * The term index is not ordered by time, so a frequent term would be read completely for each page. The newest casts
 * contain enough of such terms; PostgreSQL reads the second part only if they do not fill the page. (`embed_terms` is
 * not declared parallel safe, so parallel workers cannot change the order of the two parts.)
 */
const BY_TERM = `(
     (select c.ts, c.hash
        from (select c.ts, c.hash, c.fid, c.embeds from "cast" c where (c.ts, c.hash) < ${BEFORE}
               order by c.ts desc, c.hash desc limit ${RECENT}) c
       where ${MATCH}
       order by c.ts desc, c.hash desc)
     union all
     (select c.ts, c.hash from "cast" c
       where (c.ts, c.hash) < (select edge.ts, edge.hash from edge) and ${MATCH}
       order by c.ts desc, c.hash desc)
     limit ${LIMIT}
   )`;
const EDGE = `with edge as materialized (
     select c.ts, c.hash from "cast" c where (c.ts, c.hash) < ${BEFORE}
      order by c.ts desc, c.hash desc offset ${RECENT - 1} limit 1
   )`;

/**
 * Casts that embed a URL with one of these terms (see `embed_terms` in the migrations), newest first.
 * @param prefix required prefix of the URL, with scheme and host in lower case; null: the terms are sufficient
 */
export const selectEmbedCasts = readQuery('feed_by_embed', `${EDGE} select ${CAST_ITEM} from ${BY_TERM} c`).rows(
  (terms: readonly string[], prefix: string | null, page: FeedPage) => ({ ...feedParams(page), terms, prefix }),
);

/** What embeds of a type are known by. */
export interface EmbedTypes {
  /** Terms of `embed_terms`: file extensions. */
  readonly terms: readonly string[];
  /** Media types, and first parts of media types, as they were found when the address was fetched. */
  readonly exact: readonly string[];
  readonly families: readonly string[];
}

/** Casts that embed something of one of these types, newest first. */
export const selectTypedEmbedCasts = readQuery(
  'feed_by_embed_type',
  `${EDGE} select ${CAST_ITEM}
     from (select b.ts, b.hash from ${BY_TERM} b
           union ${typed(':exact', 'u.type')}
           union ${typed(':families', "split_part(u.type, '/', 1)")}) c
    order by c.ts desc, c.hash desc limit ${LIMIT}`,
).rows(({ terms, exact, families }: EmbedTypes, page: FeedPage) => ({
  ...feedParams(page),
  terms,
  prefix: null,
  exact,
  families,
}));
