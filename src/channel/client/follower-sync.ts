import Type from 'typebox';
import { replaceFollowers } from '../../store/channel/mirror-detail.js';
import { taggedTransaction } from '../../store/invalidating-transaction.js';
import { channelOf, channelsOfAccount } from '../../store/tag.js';
import type { MirrorDependencies } from './channel-sync.js';
import { dateOf, Fid, readPages, Seconds, uniqueByFid } from './page.js';

const FOLLOWERS = {
  path: '/v1/channel-followers',
  member: 'users',
  item: Type.Object({ fid: Fid, followedAt: Seconds }),
} as const;

/**
 * Makes the stored followers of a channel those that the client names. An account that stops following while they are
 * read may follow again until the next time.
 * @throws as `readPages`; nothing is changed then
 */
export const syncFollowers = async (
  deps: MirrorDependencies,
  channelId: string,
  signal: AbortSignal,
): Promise<void> => {
  const requested = new Date(deps.clock());
  const users = await readPages(deps.client, FOLLOWERS, channelId, signal);
  const rows = uniqueByFid(users.map(({ fid, followedAt }) => ({ fid, at: dateOf(followedAt) })));
  await taggedTransaction(deps, async (session, tags) => {
    const changed = await replaceFollowers(session, channelId, requested, rows);
    for (const fid of changed) tags.add(channelOf(channelId)).add(channelsOfAccount(fid));
  });
};
