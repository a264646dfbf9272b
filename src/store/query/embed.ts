import { type Reader, statement } from '../../db/statement.js';
import { visibleTo } from '../visibility.js';
import { APP, BEFORE, CAST_ITEM, type FeedItem, type FeedPage, LIMIT, readFeed, VIEWER } from './feed.js';

/** Number of newest casts that are checked one by one before the term index is used. */
const RECENT = 400;

const MATCH = `c.embeds <> '[]' and embed_terms(c.embeds) && $6::text[]
  and ($7::text is null or exists (
    select from jsonb_array_elements(c.embeds) e where starts_with(e.value ->> 'url', $7)))
  and ${visibleTo('c.fid', VIEWER, APP)}`;

/**
 * The term index is not ordered by time, so a frequent term would be read completely for each page. The newest casts
 * contain enough of such terms; PostgreSQL reads the second part only if they do not fill the page. (`embed_terms` is
 * not declared parallel safe, so parallel workers cannot change the order of the two parts.)
 */
const casts = statement<FeedItem>(
  'feed_by_embed',
  `with edge as materialized (
     select c.ts, c.hash from "cast" c where (c.ts, c.hash) < ${BEFORE}
      order by c.ts desc, c.hash desc offset ${RECENT - 1} limit 1
   )
   select ${CAST_ITEM} from (
     (select c.ts, c.hash
        from (select c.ts, c.hash, c.fid, c.embeds from "cast" c where (c.ts, c.hash) < ${BEFORE}
               order by c.ts desc, c.hash desc limit ${RECENT}) c
       where ${MATCH}
       order by c.ts desc, c.hash desc)
     union all
     (select c.ts, c.hash from "cast" c
       where (c.ts, c.hash) < (select edge.ts, edge.hash from edge) and ${MATCH}
       order by c.ts desc, c.hash desc)
   ) c limit ${LIMIT}`,
);

/**
 * Casts that embed a URL with one of these terms (see `embed_terms` in the migrations), newest first.
 * @param prefix required prefix of the URL; null: the terms are sufficient
 */
export const selectEmbedCasts = (
  session: Reader,
  terms: readonly string[],
  prefix: string | null,
  page: FeedPage,
): Promise<FeedItem[]> => readFeed(session, casts, page, [terms, prefix]);
