import Type from 'typebox';
import { selectFollowingFeed } from '../../store/query/feed-account.js';
import { selectNextInFollowingFeed } from '../../store/query/feed-followed.js';
import type { CachedFeed } from './feed-page.js';

/** See docs/decisions/0056-following-feed-without-replies.md. */
export const followingReplies = Type.Boolean({
  default: false,
  description: 'In the following feed: with replies.',
});

/**
 * @returns the feed of casts and, with `recasts`, recasts by the accounts that `fid` follows; replies, also recast ones,
 *   only with `withReplies`
 */
export const followingFeed = (fid: number, recasts: boolean, withReplies: boolean): CachedFeed => ({
  select: (read, page, horizon) =>
    selectFollowingFeed(read, fid, { casts: 'all', recasts, withReplies }, page, horizon),
  next: (read, horizon) => selectNextInFollowingFeed(read, fid, recasts, horizon),
});
