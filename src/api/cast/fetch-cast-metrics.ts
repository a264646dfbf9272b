import Type from 'typebox';
import { isTimedOut } from '../../db/failure.js';
import { fromUnixMs } from '../../protocol/time.js';
import { Fid } from '../../schema/fid.js';
import { CastsMetricsResponse } from '../../schema/social/cast.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectCastMetrics } from '../../store/query/cast-metric.js';
import { viewCastMetrics } from '../../view/cast-metric.js';
import { channelUrls } from '../feed/channel-url.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { readSearchQuery } from './search-query.js';
import { searchTooLong } from './search-too-long.js';

const HOUR = 3600;
const DAY = 24 * HOUR;

interface Interval {
  readonly buckets: number;
  /** Seconds of a bucket. Protocol time starts at midnight UTC, so its multiples are aligned to hours and days. */
  readonly resolution: number;
}

/** The contract leaves the resolution open. */
const INTERVALS = {
  '1d': { buckets: 24, resolution: HOUR },
  '7d': { buckets: 28, resolution: 6 * HOUR },
  '30d': { buckets: 30, resolution: DAY },
  '90d': { buckets: 90, resolution: DAY },
  '180d': { buckets: 180, resolution: DAY },
} as const satisfies Record<string, Interval>;

const NAMES = Object.keys(INTERVALS) as (keyof typeof INTERVALS)[];

export const fetchCastMetrics = operation({
  id: 'fetch-cast-metrics',
  path: '/v2/social/cast/metrics/',
  tags: ['Metrics'],
  title: 'Count casts by time',
  summary: 'Count casts by their words, for each hour, six hours or day of a time up to now.',
  // Up to 200,000 casts are counted, in the time of a full page of a search.
  cost: { fixed: 200 },
  headers: experimentalHeader,
  query: Type.Object({
    q: Type.String({
      description:
        'Words as in the search for casts. Counts are exact: a query for which too many casts would have to be read is ' +
        'a 400.',
    }),
    interval: Type.Optional(
      stringEnum(NAMES, { description: '30d when absent. 1d is counted by hour, 7d by six hours, the others by day.' }),
    ),
    author_fid: Type.Optional(Fid),
    channel_id: Type.Optional(Type.String({ description: 'Counts threads that began in this channel.' })),
  }),
  parameters: { q: { example: 'welcome' }, author_fid: { description: 'Counts casts of this account alone.' } },
  response: CastsMetricsResponse,
  read: async ({ query, caller }, read) => {
    const { q, interval = '30d', author_fid: authorFid = null, channel_id: channelId } = query;
    const { words, from = 0, until } = readSearchQuery(q);
    const { buckets, resolution } = INTERVALS[interval];
    const now = fromUnixMs(read.now);
    const start = now - (now % resolution) - (buckets - 1) * resolution;
    const counts = Array<number>(buckets).fill(0);
    const parentUrls = channelId === undefined ? null : await channelUrls(read, [channelId]);
    if (parentUrls?.length === 0) return viewCastMetrics({ start, resolution, counts });
    const time = { start, resolution, from: Math.max(start, from), until: Math.min(now + 1, until ?? now + 1) };
    const narrowing = ['a shorter interval', 'author_fid', 'channel_id'];
    const found = await selectCastMetrics(read, { words, authorFid, parentUrls, appId: caller.appId, ...time }).catch(
      (error: unknown) => {
        throw isTimedOut(error) ? searchTooLong(narrowing, error) : error;
      },
    );
    if (found === undefined) throw searchTooLong(narrowing);
    for (const { bucket, count } of found) counts[bucket] = count;
    return viewCastMetrics({ start, resolution, counts });
  },
});
