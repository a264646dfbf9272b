import { type RowOf, readQuery, writeQuery, writeRows } from '../query-function.js';

/**
 * The result of the last fetch of an address. `metadata` is `EmbedUrlMetadata` of the interface, null: not readable;
 * `failures` are the failed fetches since the last one that did not fail.
 */
export type UrlMetadataRow = RowOf<'url_metadata'>;

/** @returns undefined: never fetched */
export const selectUrlMetadata = readQuery(
  'url_metadata',
  `select expires_at as "expiresAt!", metadata, failures from url_metadata where url = :url and fetched_at is not null`,
).first((url: string) => ({ url }));

/** @returns what was found at these addresses, `EmbedUrlMetadata` of the interface; addresses without are left out */
export const selectFoundMetadata = readQuery(
  'found_url_metadata',
  `select url, metadata as "metadata!" from url_metadata
    where url = any((select :urls::text[])::text[]) and metadata ->> '_status' = 'RESOLVED'`,
).columnMap('url', 'metadata', (urls: readonly string[]) => (urls.length === 0 ? undefined : { urls }));

/**
 * Stores the result of a fetch. A failed one leaves what an earlier one found.
 * @param type media type of the result; null: not known
 * @returns the type that is known now
 */
export const upsertUrlMetadata = writeQuery(
  'upsert_url_metadata',
  `insert into url_metadata (url, fetched_at, expires_at, metadata, type, failures)
   values (:url, :fetchedAt, :expiresAt, :metadata?::jsonb, :type?, :failures)
   on conflict (url) do update
   set fetched_at = excluded.fetched_at, expires_at = excluded.expires_at, failures = excluded.failures,
       metadata = case when excluded.failures = 0 then excluded.metadata
                       else coalesce(url_metadata.metadata, excluded.metadata) end,
       type = case when excluded.failures = 0 then excluded.type else url_metadata.type end
   returning type`,
).valueOr(
  'type',
  null,
  (url: string, row: UrlMetadataRow & { readonly fetchedAt: Date; readonly type: string | null }) => {
    const metadata = row.metadata === null ? null : JSON.stringify(row.metadata);
    return {
      url,
      fetchedAt: row.fetchedAt,
      expiresAt: row.expiresAt,
      metadata,
      type: row.type,
      failures: row.failures,
    };
  },
);

/** Queues addresses of casts to be fetched, except those that were fetched before. @param rows each address once */
export const queueUrls = writeRows(
  'queue_urls',
  { url: 'text', cast_ts: 'integer' },
  (rows) => `insert into url_metadata (url, cast_ts) ${rows}
    on conflict (url) do update set cast_ts = excluded.cast_ts where url_metadata.cast_ts is null`,
).done((rows: readonly { readonly url: string; readonly castTs: number }[]) => [rows]);

/** @returns addresses to fetch, those of the newest casts first. @param attempts after which an address waits in vain */
export const selectWaitingUrls = readQuery(
  'waiting_urls',
  `select url from url_metadata where fetched_at is null and attempts < :attempts order by cast_ts desc nulls last limit :limit`,
).column('url', (limit: number, attempts: number) => ({ limit, attempts }));

/** Notes that addresses are about to be fetched. */
export const countAttempts = writeQuery(
  'count_fetch_attempts',
  'update url_metadata set attempts = attempts + 1 where url = any(:urls) and fetched_at is null',
).done((urls: readonly string[]) => (urls.length > 0 ? { urls } : undefined));

/** Deletes addresses of the oldest casts from the queue. @param max number that remains at most, unless times are equal */
export const deleteWaitingUrls = writeQuery(
  'delete_waiting_urls',
  `delete from url_metadata
    where fetched_at is null
      and cast_ts < (select cast_ts from url_metadata where fetched_at is null order by cast_ts desc offset :max limit 1)`,
).done((max: number) => ({ max }));

/**
 * Deletes some results that have expired before this time, of addresses that only callers asked for. A cast may embed
 * such an address since, or be too old to have queued it.
 */
export const deleteUnusedUrls = writeQuery(
  'delete_unused_url_metadata',
  `delete from url_metadata u
    where u.url in (select x.url from url_metadata x
                     where x.cast_ts is null and x.fetched_at is not null and x.expires_at < :before
                       and not exists (select from cast_url c where c.url = x.url)
                     order by x.expires_at limit :limit)`,
).done((before: Date, limit: number) => ({ before, limit }));
