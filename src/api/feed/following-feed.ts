import { selectFollowingFeed } from '../../store/feed-account-read.js';
import { selectFollowedFids, selectNextInFollowingFeed } from '../../store/feed-followed-read.js';
import type { CachedFeed } from './feed-page.js';

/** @returns what the accounts that `fid` follows wrote and, with `recasts`, recast. */
export const followingFeed = (fid: number, recasts: boolean): CachedFeed => ({
  select: async (read, page, horizon) => {
    const [items] = await Promise.all([
      selectFollowingFeed(read, fid, { casts: 'all', recasts }, page, horizon),
      // For their tags.
      selectFollowedFids(read, fid),
    ]);
    return items;
  },
  next: (read, horizon) => selectNextInFollowingFeed(read, fid, recasts, horizon),
});
