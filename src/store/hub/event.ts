import type { Reader } from '../../db/statement.js';
import type { EventLogRow } from '../../protocol/event/decode.js';
import { readQuery } from '../query-function.js';

export interface LoggedEvent {
  readonly id: number;
  /** The protobuf `HubEvent`: its type, then its body. Messages are as they came, in `data` or in `data_bytes`. */
  readonly body: Buffer;
  /** `HubEventType`. */
  readonly type: number;
  /** When the transaction that wrote it began, in Unix seconds. */
  readonly seconds: number;
}

/** Ids of events, and how many of them. */
export interface EventRange {
  readonly from: number;
  /** The first id that is not in the range. */
  readonly before: number;
  readonly limit: number;
}

/** Rows below are other events of this service (`TRADE_ROW`), which the protocol does not know. */
const OF_PROTOCOL = 'type > 0';

// The driver takes ten times as long to read a timestamp as to read a number.
const SECONDS = 'trunc(extract(epoch from at))::float8 as "seconds!"';

/**
 * Selects events of the protocol in the order in which they happened. Writers hold the ingest lock from before they take an id until
 * they have committed, so no event can appear before one that was already read.
 */
export const selectHubEvents = readQuery(
  'hub_event_from_id',
  `select id, type, body, ${SECONDS} from hub_event where id >= :from and id < :before and ${OF_PROTOCOL} order by id limit :limit`,
).rows(({ from, before, limit }: EventRange) => ({ from, before, limit }));

/** Selects the newest events of the protocol in a range, the newest first. */
export const selectHubEventsReverse = readQuery(
  'hub_event_from_id_reverse',
  `select id, type, body, ${SECONDS} from hub_event where id >= :from and id < :before and ${OF_PROTOCOL} order by id desc limit :limit`,
).rows(({ from, before, limit }: EventRange) => ({ from, before, limit }));

/** @returns one event of the protocol; undefined when the log does not have it or no longer has it */
export const selectHubEvent = readQuery(
  'hub_event_by_id',
  `select id, type, body, ${SECONDS} from hub_event where id = :id and ${OF_PROTOCOL}`,
).first((id: number) => ({ id }));

const afterId = readQuery(
  'hub_event_after_id',
  `select id, fid, type, trunc(extract(epoch from at) * 1000)::float8 as "ms!", body
     from hub_event
    where id > :id
    order by id
    limit :limit`,
).rows();

/**
 * Selects all rows in the order in which they happened, as `selectHubEvents`. Ids may have gaps.
 * @param id of the last row that was read before; 0: from the beginning
 */
export const selectEventLog = async (db: Reader, id: number, limit: number): Promise<EventLogRow[]> =>
  (await afterId(db, { id, limit })).map(({ ms, ...row }) => ({ ...row, at: new Date(ms) }));

/** @returns ids of the first and the last row of the log; both 0 when it is empty */
export const selectEventLogBounds = readQuery(
  'hub_event_bounds',
  'select coalesce(min(id), 0) as "oldest!", coalesce(max(id), 0) as "newest!" from hub_event',
).one();

// A binary search by id: about 40 index lookups in a log of any size, where a filter by time would read all rows since.
/**
 * Exact for rows of transactions that did not wait for each other: of two that did, the one that began first may have
 * written last.
 * @returns id of the first row at or after this time; undefined if there is none
 */
export const selectEventIdSince = readQuery(
  'hub_event_since_time',
  `with recursive search (low, high) as (
     select min(id), max(id) + 1 from hub_event
     union all
     select case when row.at < :time then row.id + 1 else low end,
            case when row.at < :time then high else (low + high) / 2 end
       from search, lateral (select id, at from hub_event where id >= (low + high) / 2 order by id limit 1) row
      where low < high
   )
   select e.id
     from search s, lateral (select id from hub_event where id >= s.low order by id limit 1) e
    where s.low >= s.high`,
).value('id', (time: Date) => ({ time }));
