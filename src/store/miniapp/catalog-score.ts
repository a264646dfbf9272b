import { embeddedDomains } from '../embed-domain.js';
import { readQuery, writeQuery } from '../query-function.js';

/** Periods over which the change of a score is stored. */
export const SCORE_WINDOWS = ['1h', '6h', '12h', '24h', '7d'] as const;
export type ScoreWindow = (typeof SCORE_WINDOWS)[number];

/** Hours of each window. */
export const WINDOW_HOURS: Readonly<Record<ScoreWindow, number>> = {
  '1h': 1,
  '6h': 6,
  '12h': 12,
  '24h': 24,
  '7d': 168,
};

const before = (window: ScoreWindow): string => `
  (select max(b.counted_at) from catalog_score b where b.counted_at <= :time::timestamptz - interval '${WINDOW_HOURS[window]} hours')`;

const changeSince = (window: ScoreWindow): string => `
  n.score - coalesce((select b.score from catalog_score b
                       where b.counted_at = earlier.at_${window} and b.domain = n.domain), 0)`;

/**
 * Counts the score of every listed mini app.
 * @param at time of the count, and the same in protocol seconds
 * @param rule `score` that accounts need to count, unless nobody has it; `seconds` that a share counts, `halfLife` in
 *   which its weight halves, in seconds
 */
export const insertScores = writeQuery(
  'insert_catalog_scores',
  `with anybody as (
     select not exists (select from account where score >= :score::real) as is_trusted
   ), trusted as (
     select a.fid from account a cross join anybody where anybody.is_trusted or a.score >= :score::real
   ), share as (
     select e.domain, c.fid, max(c.ts) as ts
       from "cast" c
       ${embeddedDomains('c')}
       join catalog_app k on k.domain = e.domain
       join trusted t on t.fid = c.fid
      where c.ts > :ts::integer - :seconds::integer and c.ts <= :ts::integer and c.embeds <> '[]'
      group by e.domain, c.fid
   ), shared as (
     select s.domain, count(*) as sharers, sum(power(0.5, (:ts::integer - s.ts)::float8 / :halfLife::float8)) as score
       from share s group by s.domain
   ), added as (
     select h.domain, count(distinct h.fid) as adds
       from host_token h join trusted t on t.fid = h.fid
      where h.live_at is not null and h.closed_at is null
      group by h.domain
   ), counted as (
     select k.domain, coalesce(s.sharers, 0) as sharers, coalesce(a.adds, 0) as adds,
            round((coalesce(s.score, 0) + coalesce(a.adds, 0))::numeric, 6)::float8 as score
       from catalog_app k left join shared s on s.domain = k.domain left join added a on a.domain = k.domain
   ), earlier as materialized (
     select ${SCORE_WINDOWS.map((window) => `${before(window)} as at_${window}`).join()}
   )
   insert into catalog_score (counted_at, domain, score, sharers, adds, ${SCORE_WINDOWS.map((window) => `change_${window}`).join(', ')})
   select :time, n.domain, n.score, n.sharers, n.adds,
          ${SCORE_WINDOWS.map((window) => `round((${changeSince(window)})::numeric, 6)::float8`).join()}
     from counted n cross join earlier
   on conflict do nothing`,
).done(
  (
    at: { readonly time: Date; readonly ts: number },
    rule: { readonly score: number; readonly seconds: number; readonly halfLife: number },
  ) => ({ time: at.time, ts: at.ts, score: rule.score, seconds: rule.seconds, halfLife: rule.halfLife }),
);

export const deleteScoresBefore = writeQuery(
  'delete_old_catalog_scores',
  'delete from catalog_score where counted_at < :time',
).done((time: Date) => ({ time }));

/** @returns Unix milliseconds of the latest count; undefined: there is none */
export const selectLatestScores = readQuery(
  'catalog_score_latest',
  'select (extract(epoch from counted_at) * 1000)::bigint as "at!" from catalog_score order by counted_at desc limit 1',
).value('at');

/** SQL of a count's time. @param at placeholder of Unix milliseconds */
export const countedAt = (at: string): string => `timestamptz 'epoch' + ${at}::bigint * interval '1 millisecond'`;

/** @param at Unix milliseconds. @returns whether the scores of this count are still stored */
export const areScoresStored = readQuery(
  'catalog_score_stored',
  `select 1 as at from catalog_score where counted_at = ${countedAt(':at')} limit 1`,
).hasRows((at: number) => ({ at }));
