import type { Database } from '../db/database.js';
import { invalidField, notFound } from '../error.js';
import type { Invalidation } from '../store/change.js';
import { invalidationOf } from '../store/change.js';
import { type ChannelRow, selectChannelsById } from '../store/channel/channel.js';
import type { WriteAndInvalidate } from '../store/invalidating-transaction.js';
import { channelOf, channelsOfAccount } from '../store/tag.js';
import type { Writer } from '../write/writer.js';
import type { RemoteChannels } from './remote.js';

/** What follows, invites and removals need. */
export interface ChannelDependencies {
  readonly db: Database;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly writeAndInvalidate: WriteAndInvalidate;
  /** The client that decides about mirrored channels; undefined: this server decides about all of them. */
  readonly remote?: RemoteChannels | undefined;
  /** Writes follows of the network's channels, which are likes; undefined: they are not written here. */
  readonly writer?: Writer | undefined;
}

/** @returns what a change of an account's follow or role in a channel invalidates */
export const membershipInvalidation = (channelId: string, fid: number): Invalidation =>
  invalidationOf([channelOf(channelId), channelsOfAccount(fid)]);

/** @throws AppError not_found with property `channel_id` */
export const requireChannel = async (db: Database, id: string): Promise<ChannelRow> => {
  const [channel] = await selectChannelsById(db, [id]);
  if (channel !== undefined) return channel;
  throw notFound(`No channel with the id ${JSON.stringify(id)} is stored.`, 'channel_id');
};

/**
 * Asks the client to make a change, if it decides about the channel. Outside of a transaction, because it may take seconds.
 * @returns whether the client made the change; otherwise this server decides
 * @throws AppError not_found with property `channel_id` for an unknown channel, invalid for one of the network; those of
 *   `RemoteChannels`
 */
export const askRemote = async (
  { db, remote }: ChannelDependencies,
  channelId: string,
  call: (remote: RemoteChannels) => Promise<void>,
): Promise<boolean> => {
  const { source } = await requireChannel(db, channelId);
  if (source === 'protocol') {
    throw invalidField(
      'channel_id',
      `The channel ${channelId} is the network's own: its messages decide about members`,
    );
  }
  if (source !== 'client' || remote === undefined) return false;
  await call(remote);
  return true;
};

/** @throws AppError invalid for a role that cannot be given or taken: the lead of a channel is its owner */
export const requireInvitedRole = (role: 'owner' | 'moderator' | 'member'): 'moderator' | 'member' => {
  if (role !== 'owner') return role;
  throw invalidField('role', 'role must be member or moderator: the lead of a channel is its only owner');
};
