import type { Reader } from '../../db/statement.js';
import { type RowOf, readQuery } from '../query-function.js';

/**
 * Reads of the protocol's channels as hubs answer them. A channel's id is the 32-byte hash of its key.
 *
 * Channels of one owner are sorted by key, in the order of its bytes. No index has that order, because a key may be longer
 * than an index takes: the channels of the owner are read for each page.
 */

const OWNED = `c.id, c.key, c.owner_fid as "ownerFid", c.owner_address as "ownerAddress", c.expires_at as "expiresAt"`;

/** A registered channel with its owner: the fid is null while nobody verified the address. `expiresAt` in Unix seconds. */
export type OwnedChannel = RowOf<'hub_channel_by_address'>;

/** @returns the registered channel; undefined: there is none */
export const selectChannel = readQuery(
  'hub_channel',
  `select ${OWNED}, c.name, c.description, c.image_url as "imageUrl", c.header, c.rules,
          c.casting_mode as "castingMode", c.membership_mode as "membershipMode",
          c.pinned_cast_hash as "pinnedCastHash", c.pinned_by as "pinnedBy"
     from protocol_channel c where c.id = :id`,
).first((id: Uint8Array) => ({ id }));

export interface ChannelPage<Place> {
  /** Of the last entry of the previous page; undefined: the first page. */
  readonly after: Place | undefined;
  readonly reverse: boolean;
  readonly limit: number;
}

const byAddress = (past: '>' | '<', order: 'asc' | 'desc'): string =>
  `select ${OWNED} from protocol_channel c
    where c.owner_address = :address
      and (:after?::bytea is null or (c.key collate "C", c.id) ${past}
           (select a.key collate "C", a.id from protocol_channel a where a.id = :after?))
    order by c.key collate "C" ${order}, c.id ${order} limit :limit`;
const byAddressForward = readQuery('hub_channel_by_address', byAddress('>', 'asc')).rows();
const byAddressBackward = readQuery('hub_channel_by_address_reverse', byAddress('<', 'desc')).rows();

/** @param page its place is a channel's id. @returns the channels whose tokens an address holds, by their keys */
export const selectChannelsByAddress = (
  session: Reader,
  address: Uint8Array,
  { after, reverse, limit }: ChannelPage<Uint8Array>,
): Promise<OwnedChannel[]> =>
  (reverse ? byAddressBackward : byAddressForward)(session, { address, after: after ?? null, limit });

/** A place in the channels of an account. */
export interface OwnedPlace {
  readonly address: Uint8Array;
  readonly id: Uint8Array;
}

/** @returns the channels that an account owns, by the addresses that hold them, then by their keys */
export const selectChannelsByOwner = readQuery(
  'hub_channel_by_owner',
  `select ${OWNED} from verification v
     join protocol_channel c on c.owner_address = v.address and c.owner_fid = v.fid
    where v.fid = :fid and v.protocol = 0
      and (:address?::bytea is null or (c.owner_address, c.key collate "C", c.id) >
           (select :address?::bytea, a.key collate "C", a.id from protocol_channel a where a.id = :id?))
    order by c.owner_address, c.key collate "C", c.id limit :limit`,
).rows((fid: number, after: OwnedPlace | undefined, limit: number) => ({
  fid,
  limit,
  address: after?.address ?? null,
  id: after?.id ?? null,
}));

/** A channel's row with the follows of it: follows of channels that are not shown are not read (`ingest/channel`). */
const SHOWN_KEY = '(select p.key from protocol_channel p where p.id = :id and p.shown_url is not null)';

const followers = (past: '>' | '<', order: 'asc' | 'desc'): string =>
  `select f.fid, f.followed_at as "followedAt" from channel_follow f
    where f.channel_id = ${SHOWN_KEY} and f.fid ${past} :after order by f.fid ${order} limit :limit`;
const followersForward = readQuery('hub_channel_follower', followers('>', 'asc')).rows();
const followersBackward = readQuery('hub_channel_follower_reverse', followers('<', 'desc')).rows();

const fidPlace = ({ after, reverse, limit }: ChannelPage<number>) => ({
  limit,
  after: after ?? (reverse ? Number.MAX_SAFE_INTEGER : 0),
});

/** @returns the accounts that follow a channel, by fid */
export const selectChannelFollowers = (session: Reader, id: Uint8Array, page: ChannelPage<number>) =>
  (page.reverse ? followersBackward : followersForward)(session, { id, ...fidPlace(page) });

export const selectChannelFollowerCount = readQuery(
  'hub_channel_follower_count',
  `select c.follower_count as count from channel c where c.id = ${SHOWN_KEY} and c.source = 'protocol'`,
).valueOr('count', 0, (id: Uint8Array) => ({ id }));

/** @returns since when an account follows a channel; undefined: it does not */
export const selectChannelFollow = readQuery(
  'hub_channel_follow',
  `select f.followed_at as "followedAt" from channel_follow f where f.channel_id = ${SHOWN_KEY} and f.fid = :fid`,
).value('followedAt', (id: Uint8Array, fid: number) => ({ id, fid }));

/** A place in the follows of an account. */
export interface FollowPlace {
  readonly followedAt: Date;
  /** The key of the channel. */
  readonly key: string;
}

const follows = (past: '>' | '<', same: '>' | '<', order: 'asc' | 'desc', sameOrder: 'asc' | 'desc'): string =>
  `select f.channel_id as key, f.followed_at as "followedAt" from channel_follow f
     join channel c on c.id = f.channel_id and c.source = 'protocol'
    where f.fid = :fid and f.followed_at ${past}= :followedAt
      and (f.followed_at ${past} :followedAt or f.channel_id ${same} :key)
    order by f.followed_at ${order}, f.channel_id ${sameOrder} limit :limit`;
const followsForward = readQuery('hub_channel_follow_by_fid', follows('>', '<', 'asc', 'desc')).rows();
const followsBackward = readQuery('hub_channel_follow_by_fid_reverse', follows('<', '>', 'desc', 'asc')).rows();

/** @returns the protocol's channels that an account follows, the earliest follow first */
export const selectChannelFollows = (session: Reader, fid: number, page: ChannelPage<FollowPlace>) => {
  const { after, reverse, limit } = page;
  if (reverse)
    return followsBackward(session, { fid, limit, ...(after ?? { followedAt: new Date(8.64e15), key: '' }) });
  return followsForward(session, { fid, limit, ...(after ?? { followedAt: new Date(0), key: '' }) });
};
