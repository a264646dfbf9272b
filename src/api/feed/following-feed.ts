import { selectFollowingFeed } from '../../store/query/feed-account.js';
import { selectNextInFollowingFeed } from '../../store/query/feed-followed.js';
import type { CachedFeed } from './feed-page.js';

/** @returns the feed of casts and, with `recasts`, recasts by the accounts that `fid` follows */
export const followingFeed = (fid: number, recasts: boolean): CachedFeed => ({
  select: (read, page, horizon) => selectFollowingFeed(read, fid, { casts: 'all', recasts }, page, horizon),
  next: (read, horizon) => selectNextInFollowingFeed(read, fid, recasts, horizon),
});
