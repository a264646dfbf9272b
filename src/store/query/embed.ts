import { type Reader, statement } from '../database.js';
import { APP, BEFORE, CAST_ITEM, type FeedItem, type FeedPage, LIMIT, readFeed, VIEWER } from './feed.js';
import { visibleTo } from '../visibility.js';

/** The newest casts that are looked through one by one before the index by terms is asked. */
const RECENT = 400;

const MATCH = `c.embeds <> '[]' and embed_terms(c.embeds) && $6::text[]
  and ($7::text is null or exists (
    select from jsonb_array_elements(c.embeds) e where starts_with(e.value ->> 'url', $7)))
  and ${visibleTo('c.fid', VIEWER, APP)}`;

/**
 * The index by terms knows no order, so a frequent term would be read to its end for each page. Those are found among
 * the newest casts; PostgreSQL goes on to the second part only when the first did not fill the page.
 * (`embed_terms` is not declared parallel safe, so no worker upsets the order of the two parts.)
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
 * @param prefix what the URL must begin with besides; null: the terms say it all
 */
export const selectEmbedCasts = (
  session: Reader,
  terms: readonly string[],
  prefix: string | null,
  page: FeedPage,
): Promise<FeedItem[]> => readFeed(session, casts, page, [terms, prefix]);
