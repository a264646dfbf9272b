import type { Reader } from '../../db/statement.js';
import { DAY_SECONDS } from '../../duration.js';
import { MAX_INTEGER } from '../integer.js';
import { readQuery, writeQuery } from '../query-function.js';
import { CHANNEL_LIST } from '../tag.js';

/** A period over which casts are counted: the last day, week or 30 days. */
export type ActivityWindow = '1d' | '7d' | '30d';

/** Casts in one channel by period, as they were counted at `counted`. */
export interface ChannelActivity {
  readonly id: string;
  readonly castCount1d: number;
  readonly castCount7d: number;
  readonly castCount30d: number;
}

/**
 * Counts the casts in all channels, replies included.
 * @param at time of the count, and the same in protocol seconds
 * @param rule `score` that authors need, unless nobody has it; `casts` that count of each author and day
 */
export const insertActivity = writeQuery(
  'insert_channel_activity',
  `with anybody as (
     select not exists (select from account where score >= :score::real) as is_trusted
   ), daily as (
     select u.channel_id, c.fid, (:ts::integer - c.ts) / ${DAY_SECONDS} as day, least(count(*), :casts::integer) as casts
       from "cast" c join channel_parent_url u on u.url = c.root_parent_url
      where c.root_parent_url is not null and c.ts > :ts::integer - 30 * ${DAY_SECONDS} and c.ts <= :ts::integer
      group by 1, 2, 3
   )
   insert into channel_activity (counted_at, channel_id, cast_count_1d, cast_count_7d, cast_count_30d)
   select :time, d.channel_id, coalesce(sum(d.casts) filter (where d.day = 0), 0),
          coalesce(sum(d.casts) filter (where d.day < 7), 0), sum(d.casts)
     from daily d
     join channel h on h.id = d.channel_id and h.gone_at is null
     cross join anybody
     left join account a on a.fid = d.fid
    where anybody.is_trusted or a.score >= :score::real
    group by d.channel_id
   on conflict do nothing`,
).done(
  (at: { readonly time: Date; readonly ts: number }, rule: { readonly score: number; readonly casts: number }) => ({
    time: at.time,
    ts: at.ts,
    score: rule.score,
    casts: rule.casts,
  }),
);

export const deleteActivityBefore = writeQuery(
  'delete_old_channel_activity',
  'delete from channel_activity where counted_at < :before',
).done((before: Date) => ({ before }));

/** @returns Unix milliseconds of the latest count; undefined: there is none */
export const selectLatestActivity = readQuery(
  'channel_activity_latest',
  'select (extract(epoch from counted_at) * 1000)::bigint as "at!" from channel_activity order by counted_at desc limit 1',
  () => [CHANNEL_LIST],
).value('at');

const byCount = (window: ActivityWindow) =>
  readQuery(
    `channel_activity_${window}`,
    `select channel_id as id, cast_count_1d as "castCount1d", cast_count_7d as "castCount7d",
            cast_count_30d as "castCount30d"
       from channel_activity
      where counted_at = timestamptz 'epoch' + :counted::bigint * interval '1 millisecond' and cast_count_${window} > 0
        and cast_count_${window} <= :casts::integer and (cast_count_${window} < :casts::integer or channel_id > :id)
      order by cast_count_${window} desc, channel_id limit :limit`,
    () => [CHANNEL_LIST],
  ).rows();

const LISTS = {
  '1d': byCount('1d'),
  '7d': byCount('7d'),
  '30d': byCount('30d'),
} as const satisfies Record<ActivityWindow, unknown>;

/** Channels by the casts of a period, as they were counted at `counted` (Unix milliseconds). */
export const selectActivity = (
  db: Reader,
  window: ActivityWindow,
  counted: number,
  after: { readonly id: string; readonly casts: number } | undefined,
  limit: number,
): Promise<ChannelActivity[]> =>
  LISTS[window](db, { counted, casts: after?.casts ?? MAX_INTEGER, id: after?.id ?? '', limit });
