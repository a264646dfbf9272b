import { readQuery, writeQuery, writeRows } from '../query-function.js';

/**
 * Orders this transaction and others that assign types to casts: of two that store an address of a cast and the type of
 * that address at the same time, the later one sees what the earlier one stored.
 */
export const lockCastUrls = writeQuery(
  'lock_crawl',
  "select pg_advisory_xact_lock(hashtextextended('crawl', 0)) as locked",
).done();

/** @param type media type of what the address leads to; null: not known */
export const updateUrlType = writeQuery(
  'update_cast_url_type',
  'update cast_url set type = :type? where url = :url and type is distinct from :type?',
).done((url: string, type: string | null) => ({ url, type }));

/** An address that a cast embeds; the hash has 20 bytes, ts is in protocol seconds. */
export interface CastUrl {
  readonly url: string;
  readonly hash: Buffer;
  readonly ts: number;
}

/** Inserts addresses of casts, with the types that are known. */
export const insertCastUrls = writeRows(
  'insert_cast_urls',
  { url: 'text', hash: 'bytea', ts: 'integer' },
  (rows) => `insert into cast_url (url, hash, ts, type)
    select n.url, n.hash, n.ts, u.type from (${rows}) n left join url_metadata u on u.url = n.url
    on conflict do nothing`,
).done((rows: readonly CastUrl[]) => [rows]);

/** @param hashes of removed casts */
export const deleteCastUrls = writeQuery(
  'delete_cast_urls',
  'delete from cast_url where hash = any(:hashes::bytea[])',
).done((hashes: readonly Buffer[]) => (hashes.length > 0 ? { hashes } : undefined));

/** A cast and what it embeds; the hash as hex without 0x, ts in protocol seconds. */
export interface EmbeddingCast {
  readonly hash: string;
  readonly ts: number;
  readonly embeds: readonly ({ readonly url: string } | { readonly fid: number; readonly hash: string })[];
}

/** @returns those of the newest casts that embed something, in no order. @param limit casts that are looked at */
export const selectNewestEmbeds = readQuery(
  'newest_embedding_casts',
  `select encode(c.hash, 'hex') as "hash!", c.ts, c.embeds
     from (select hash, ts, embeds from "cast" order by ts desc, hash desc limit :limit) c
    where c.embeds <> '[]'`,
).rows((limit: number) => ({ limit }));

/** Notes that a batch stored casts that the event log has no events of. */
export const countHistory = writeQuery('count_crawl_history', 'update crawl_cursor set history = history + 1').done();

/** @returns the batches of history that were stored, and how many of them were searched for addresses */
export const selectHistory = readQuery(
  'crawl_history',
  'select history, history_read as "historyRead" from crawl_cursor',
).first();

/** Notes that this many batches of history were searched. */
export const updateHistoryRead = writeQuery(
  'update_crawl_history_read',
  'update crawl_cursor set history_read = greatest(history_read, :history)',
).done((history: number) => ({ history }));

/** @returns the last event of the log that was searched for addresses */
export const selectCrawlCursor = readQuery('crawl_cursor', 'select log_id as "logId" from crawl_cursor').valueOr(
  'logId',
  0,
);

/** Moves the cursor in the transaction that works off the events up to it. @returns false: another process did */
export const advanceCrawlCursor = writeQuery(
  'advance_crawl_cursor',
  'update crawl_cursor set log_id = :to where log_id = :from returning log_id as "logId"',
).hasRows((from: number, to: number) => ({ from, to }));
