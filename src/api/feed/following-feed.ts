import type { Database } from '../../store/database.js';
import { selectFollowingFeed } from '../../store/feed-account-read.js';
import { selectFollowedFids, selectNextInFollowingFeed } from '../../store/feed-followed-read.js';
import { feedOf, followsOf } from '../../store/list-source.js';
import type { KeptFeed } from './feed-page.js';

/** @returns what the accounts that `fid` follows wrote and, with `recasts`, recast. */
export const followingFeed = (db: Database, fid: number, recasts: boolean): KeptFeed => ({
  skeleton: (page, horizon) => selectFollowingFeed(db, fid, { casts: 'all', recasts }, page, horizon),
  origin: async (horizon) => {
    const [followed, next] = await Promise.all([
      selectFollowedFids(db, fid),
      selectNextInFollowingFeed(db, fid, recasts, horizon),
    ]);
    return { sources: [followsOf(fid), ...followed.map(feedOf)], next };
  },
});
