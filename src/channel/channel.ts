import type { Database } from '../db/database.js';
import type { Session } from '../db/statement.js';
import { invalidField, notFound } from '../error.js';
import type { Invalidation } from '../store/change.js';
import { invalidationOf } from '../store/change.js';
import { selectChannelsById } from '../store/channel/channel.js';
import { channelOf, channelsOfAccount } from '../store/tag.js';
import type { RemoteChannels } from './remote.js';

/** What follows, invites and removals need. */
export interface ChannelDependencies {
  readonly db: Database;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Writes with an invalidation of caches (src/cache/invalidating-write.ts). */
  readonly change: <T>(invalidation: Invalidation, work: (session: Session) => Promise<T>) => Promise<T>;
  /** The client that decides about mirrored channels; undefined: this server decides about all of them. */
  readonly remote?: RemoteChannels | undefined;
}

/** @returns what a change of an account's follow or role in a channel invalidates */
export const changeOf = (channelId: string, fid: number): Invalidation =>
  invalidationOf([channelOf(channelId), channelsOfAccount(fid)]);

/**
 * Asks the client to make a change, if it decides about the channel. Outside of a transaction, because it may take seconds.
 * @returns whether the client made the change; otherwise this server decides
 * @throws AppError not_found with property `channel_id` for an unknown channel; those of `RemoteChannels`
 */
export const askRemote = async (
  { db, remote }: ChannelDependencies,
  channelId: string,
  call: (remote: RemoteChannels) => Promise<void>,
): Promise<boolean> => {
  const [channel] = await selectChannelsById(db, [channelId]);
  if (channel === undefined) {
    throw notFound(`No channel with the id ${JSON.stringify(channelId)} is stored.`, 'channel_id');
  }
  if (channel.source !== 'client' || remote === undefined) return false;
  await call(remote);
  return true;
};

/** @throws AppError invalid for a role that cannot be given or taken: the lead of a channel is its owner */
export const requireInvitedRole = (role: 'owner' | 'moderator' | 'member'): 'moderator' | 'member' => {
  if (role !== 'owner') return role;
  throw invalidField('role', 'role must be member or moderator: the lead of a channel is its only owner');
};
