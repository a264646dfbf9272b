import { type RowOf, selectQuery, writeQuery } from '../query-function.js';

/** A request as the log stores it. */
export interface RequestEntry {
  readonly requestId: string;
  readonly organizationId: string;
  readonly keyId: string;
  /** When it came. */
  readonly at: Date;
  readonly operation: string;
  readonly method: string;
  /** Path and query, with secrets masked. */
  readonly address: string;
  readonly status: number;
  /** Compute units. */
  readonly units: number;
  readonly milliseconds: number;
  /** Of the error of its response; '' where there is none. */
  readonly error: { readonly code: string; readonly message: string; readonly property: string };
}

/** The requests of an organization in a minute. */
export interface RequestMinute {
  readonly organizationId: string;
  readonly minute: Date;
  readonly requests: number;
  /** With a status from 400 on. */
  readonly failed: number;
  /** Of which the log has no row. */
  readonly unlisted: number;
}

/** Adds requests to the log and to the counts of their minutes, in one statement. */
export const insertRequests = writeQuery(
  'request_log_insert',
  `with listed as (
    insert into request_log (request_id, organization_id, api_key_id, at, operation, method, address, status, units,
                             milliseconds, error_code, error_message, error_property)
    select request_id, organization_id, api_key_id, at, operation, method, address, status, units, milliseconds,
           nullif(error_code, ''), nullif(error_message, ''), nullif(error_property, '')
      from unnest(:requestIds::text[], :organizationIds::uuid[], :keyIds::uuid[], :times::timestamptz[],
                  :operations::text[], :methods::text[], :addresses::text[], :statuses::smallint[], :units::integer[],
                  :milliseconds::real[], :codes::text[], :messages::text[], :properties::text[])
        as r (request_id, organization_id, api_key_id, at, operation, method, address, status, units, milliseconds,
              error_code, error_message, error_property)
  )
  insert into request_minute (organization_id, minute, requests, failed, unlisted)
  -- In one order, so that processes that count for the same organizations wait for each other and never in a circle.
  select * from unnest(:countedIds::uuid[], :minutes::timestamptz[], :requests::integer[], :failed::integer[], :unlisted::integer[])
    as m (organization_id, minute, requests, failed, unlisted) order by 1, 2
  on conflict (organization_id, minute)
  do update set requests = request_minute.requests + excluded.requests, failed = request_minute.failed + excluded.failed,
                unlisted = request_minute.unlisted + excluded.unlisted`,
).done((rows: readonly RequestEntry[], minutes: readonly RequestMinute[]) => ({
  requestIds: rows.map((row) => row.requestId),
  organizationIds: rows.map((row) => row.organizationId),
  keyIds: rows.map((row) => row.keyId),
  times: rows.map((row) => row.at),
  operations: rows.map((row) => row.operation),
  methods: rows.map((row) => row.method),
  addresses: rows.map((row) => row.address),
  statuses: rows.map((row) => row.status),
  units: rows.map((row) => row.units),
  milliseconds: rows.map((row) => row.milliseconds),
  codes: rows.map((row) => row.error.code),
  messages: rows.map((row) => row.error.message),
  properties: rows.map((row) => row.error.property),
  countedIds: minutes.map((row) => row.organizationId),
  minutes: minutes.map((row) => row.minute),
  requests: minutes.map((row) => row.requests),
  failed: minutes.map((row) => row.failed),
  unlisted: minutes.map((row) => row.unlisted),
}));

/** What is looked for in the log; undefined members do not matter. */
export interface RequestFilter {
  readonly organizationId: string | undefined;
  readonly requestId: string | undefined;
  readonly keyId: string | undefined;
  readonly operation: string | undefined;
  readonly status: number | undefined;
  /** Only those with a status from 400 on. */
  readonly isFailed: boolean;
}

export type RequestRow = RowOf<'request_log_list'>;

/**
 * Lists requests, the newest first. The log is bounded, so that a walk over all of it is short, and it has no index but
 * its key: each one would make every request dearer.
 * @param page `before` is the id of the last row of the page before
 */
export const selectRequests = selectQuery(
  'request_log_list',
  `select l.id, l.request_id as "requestId", l.organization_id as "organizationId", l.api_key_id as "keyId",
          k.name as "keyName", l.at, l.operation, l.method, l.address, l.status, l.units, l.milliseconds,
          l.error_code as "errorCode", l.error_message as "errorMessage", l.error_property as "errorProperty"
     from request_log l left join api_key k on k.id = l.api_key_id
    where l.at >= :since and (:before?::bigint is null or l.id < :before?)
      and (:organizationId?::uuid is null or l.organization_id = :organizationId?)
      and (:requestId?::text is null or l.request_id = :requestId?)
      and (:keyId?::uuid is null or l.api_key_id = :keyId?)
      and (:operation?::text is null or l.operation = :operation?)
      and (:status?::integer is null or l.status = :status?)
      and (not :isFailed::boolean or l.status >= 400)
    order by l.id desc limit :limit`,
).rows(
  (
    { organizationId, requestId, keyId, operation, status, isFailed }: RequestFilter,
    page: { readonly since: Date; readonly before: number | undefined; readonly limit: number },
  ) => ({
    organizationId: organizationId ?? null,
    requestId: requestId ?? null,
    keyId: keyId ?? null,
    operation: operation ?? null,
    status: status ?? null,
    isFailed,
    since: page.since,
    before: page.before ?? null,
    limit: page.limit,
  }),
);

/** @returns the counts of the minutes since a time, the oldest first; minutes without requests have no row */
export const selectRequestMinutes = selectQuery(
  'request_minutes',
  `select minute, requests, failed, unlisted from request_minute
    where organization_id = :organizationId and minute > :since order by minute`,
).rows((organizationId: string, since: Date) => ({ organizationId, since }));

/** Deletes requests and counts from before a time, and all but about the newest `most` requests. */
export const deleteOldRequests = writeQuery(
  'request_log_delete_old',
  `with counts as (delete from request_minute where minute < :before)
   delete from request_log where at < :before or id <= (select max(id) - :most::bigint from request_log)`,
).done((before: Date, most: number) => ({ before, most }));
