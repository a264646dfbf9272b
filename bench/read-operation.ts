/** Kind of the ids in an operation's requests. */
export type IdKind =
  | 'account'
  | 'name'
  | 'author'
  | 'cast'
  | 'reactor'
  | 'follower'
  | 'followed'
  | 'notified'
  | 'channel'
  | 'place';

/** One read operation to measure. */
export interface ReadOperation {
  /** operationId of the contract, with the suffix `:viewer` if it is measured with viewers. */
  readonly id: string;
  readonly name: string;
  readonly of: IdKind;
  /** Ids in one request. */
  readonly idsPerRequest: number;
  /** @param viewer fid, for operations with a viewer */
  readonly path: (ids: readonly string[], viewer: string) => string;
  /** Every request has its own viewer, drawn by popularity. */
  readonly isPersonal?: boolean;
  /** Also measured while messages are written. */
  readonly isUnderWrites?: boolean;
  /** Requests per second as a share of the limit's that must be reached, for repeated requests and without a cache. */
  readonly target?: { readonly repeated: number; readonly uncached?: number };
}

const TARGET = { repeated: 0.25, uncached: 0.1 };
/** A list costs one query even if all its entities are cached. */
const LIST_TARGET = { repeated: 0.15 };

export const READ_OPERATIONS: readonly ReadOperation[] = [
  {
    id: 'fetch-bulk-users',
    name: 'user/bulk of 25 users',
    of: 'account',
    idsPerRequest: 25,
    path: (fids) => `/v2/social/user/bulk/?fids=${fids.join(',')}`,
    isUnderWrites: true,
    target: TARGET,
  },
  {
    id: 'fetch-bulk-casts',
    name: 'casts of 25 hashes',
    of: 'cast',
    idsPerRequest: 25,
    path: (hashes) => `/v2/social/casts/?casts=${hashes.map((hash) => `0x${hash}`).join(',')}`,
    isUnderWrites: true,
    target: TARGET,
  },
  {
    id: 'fetch-bulk-casts:viewer',
    name: 'casts of 25 hashes for a viewer',
    of: 'cast',
    idsPerRequest: 25,
    path: (hashes, viewer) =>
      `/v2/social/casts/?casts=${hashes.map((hash) => `0x${hash}`).join(',')}&viewer_fid=${viewer}`,
    isPersonal: true,
  },
  {
    id: 'hub-fetch-users-casts',
    name: 'castsByFid of 25 casts',
    of: 'author',
    idsPerRequest: 1,
    path: ([fid]) => `/v1/castsByFid?fid=${fid}&pageSize=25&reverse=true`,
    target: TARGET,
  },
  {
    id: 'lookup-cast-by-hash-or-url',
    name: 'one cast by hash',
    of: 'cast',
    idsPerRequest: 1,
    path: ([hash]) => `/v2/social/cast/?type=hash&identifier=0x${hash}`,
  },
  {
    id: 'lookup-user-by-username',
    name: 'user by username',
    of: 'name',
    idsPerRequest: 1,
    path: ([name]) => `/v2/social/user/by_username/?username=${encodeURIComponent(name as string)}`,
  },
  {
    id: 'fetch-all-notifications',
    name: 'notifications, 15',
    of: 'notified',
    idsPerRequest: 1,
    path: ([fid]) => `/v2/social/notifications/?fid=${fid}&limit=15`,
    isUnderWrites: true,
    target: LIST_TARGET,
  },
  {
    id: 'fetch-user-reactions',
    name: 'reactions/user, 25',
    of: 'reactor',
    idsPerRequest: 1,
    path: ([fid]) => `/v2/social/reactions/user/?fid=${fid}&type=all&limit=25`,
    target: LIST_TARGET,
  },
  {
    id: 'fetch-users-by-location',
    name: 'by_location, 25',
    of: 'place',
    idsPerRequest: 1,
    path: ([place]) => {
      const [latitude, longitude] = (place as string).split(' ');
      return `/v2/social/user/by_location/?latitude=${latitude}&longitude=${longitude}&limit=25`;
    },
    target: LIST_TARGET,
  },
  {
    id: 'fetch-user-following-feed',
    name: 'feed/following, 25',
    of: 'follower',
    idsPerRequest: 1,
    path: ([fid]) => `/v2/social/feed/following/?fid=${fid}&limit=25`,
    isUnderWrites: true,
    target: LIST_TARGET,
  },
  {
    id: 'fetch-user-following-feed:viewer',
    name: 'feed/following, 25, for a viewer',
    of: 'follower',
    idsPerRequest: 1,
    path: ([fid], viewer) => `/v2/social/feed/following/?fid=${fid}&limit=25&viewer_fid=${viewer}`,
    isPersonal: true,
  },
  {
    id: 'fetch-user-followers',
    name: 'followers, 25',
    of: 'followed',
    idsPerRequest: 1,
    path: ([fid]) => `/v2/social/followers/?fid=${fid}&limit=25`,
    target: LIST_TARGET,
  },
  {
    id: 'fetch-followers-for-a-channel',
    name: 'channel/followers, 1,000',
    of: 'channel',
    idsPerRequest: 1,
    path: ([id]) => `/v2/social/channel/followers/?id=${id}&limit=1000`,
    target: LIST_TARGET,
  },
  {
    id: 'fetch-channel-members',
    name: 'channel/member/list, 25',
    of: 'channel',
    idsPerRequest: 1,
    path: ([id]) => `/v2/social/channel/member/list/?channel_id=${id}&limit=25`,
    target: LIST_TARGET,
  },
  {
    id: 'fetch-trending-channels',
    name: 'channel/trending, 10',
    // One list for everybody; the id only makes the requests as different as others are.
    of: 'channel',
    idsPerRequest: 1,
    path: () => '/v2/social/channel/trending/?time_window=30d&limit=10',
    target: LIST_TARGET,
  },
  {
    id: 'fetch-users-active-channels',
    name: 'channel/user, 20',
    of: 'author',
    idsPerRequest: 1,
    path: ([fid]) => `/v2/social/channel/user/?fid=${fid}&limit=20`,
    target: LIST_TARGET,
  },
];
