import Type from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { selectFollowingFeed } from '../../store/query/feed-account.js';
import { selectNextInFollowingFeed } from '../../store/query/feed-followed.js';
import type { FeedPlace } from './feed-operation.js';

/** See docs/decisions/0056-following-feed-without-replies.md. */
export const followingReplies = Type.Boolean({
  default: false,
  description: 'In the following feed: with replies.',
});

/** The feed of casts and, `with_recasts`, recasts by the accounts that `fid` follows; replies only `with_replies`. */
export interface FollowingFeed {
  readonly fid: number;
  readonly with_recasts: boolean;
  readonly with_replies: boolean;
}

export const selectFollowing = (
  read: ReadContext,
  { fid, with_recasts, with_replies }: FollowingFeed,
  place: FeedPlace,
) => {
  const feed = { casts: 'all', recasts: with_recasts, withReplies: with_replies } as const;
  return selectFollowingFeed(read, fid, feed, place, place.horizon);
};

export const nextFollowing =
  ({ fid, with_recasts }: FollowingFeed) =>
  (read: ReadContext, horizon: number) =>
    selectNextInFollowingFeed(read, fid, with_recasts, horizon);
