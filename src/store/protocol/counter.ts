import { insertRows } from '../query-function.js';

export interface CastCountDelta {
  readonly fid: number;
  readonly hash: Uint8Array;
  likeCount: number;
  recastCount: number;
  replyCount: number;
  quoteCount: number;
}

export interface AccountCountDelta {
  readonly fid: number;
  followerCount: number;
  followingCount: number;
  castCount: number;
}

const CAST_COUNTERS = ['like_count', 'recast_count', 'reply_count', 'quote_count'] as const;
const ACCOUNT_COUNTERS = ['follower_count', 'following_count', 'cast_count'] as const;

const added = (table: string, counters: readonly string[]): string =>
  counters.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');

const typed = (counters: readonly string[]): Record<string, 'integer'> =>
  Object.fromEntries(counters.map((name) => [name, 'integer']));

/** Adds to the counters of casts, stored or not. */
export const updateCastCounts = insertRows(
  'add_cast_counts',
  'cast_count',
  { fid: 'bigint', hash: 'bytea', ...typed(CAST_COUNTERS) },
  `on conflict (fid, hash) do update set ${added('cast_count', CAST_COUNTERS)}`,
).done((deltas: readonly CastCountDelta[]) => [deltas]);

/** Adds to the counters of accounts; an account without a row gets one. */
export const updateAccountCounts = insertRows(
  'add_account_counts',
  'account',
  { fid: 'bigint', ...typed(ACCOUNT_COUNTERS) },
  `on conflict (fid) do update set ${added('account', ACCOUNT_COUNTERS)}`,
).done((deltas: readonly AccountCountDelta[]) => [deltas]);
