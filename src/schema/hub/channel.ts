import Type, { type Static } from 'typebox';
import { Base64 } from '../base64.js';
import { named, namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { stringEnum } from '../string-enum.js';
import { HubFid } from './scalar.js';

const ChannelId = Type.String({ pattern: '^0x[0-9a-f]{64}$', description: 'Keccak-256 of the key of the channel.' });
const CastHash = Type.String({ pattern: '^0x[0-9a-f]{40}$' });
const Timestamp = (description: string) =>
  Type.Integer({ format: 'uint64', description: `${description}, in seconds since 2021-01-01.` });
/** Absent on the last page. */
const next = { nextPageToken: Type.Optional(Base64) };

const owner = {
  fid: Type.Integer({
    format: 'uint64',
    minimum: 0,
    description: 'The account that verified the address last; 0: none did.',
  }),
  ownerAddress: Type.String({
    pattern: '^0x(?:[0-9a-f]{40})?$',
    description: 'The holder of the token of the channel.',
  }),
  expiry: Type.Integer({
    format: 'uint64',
    description: 'End of the registration in Unix seconds. It may have passed: expired channels are returned.',
  }),
};

export const HubChannelOwner = namedObject('HubChannelOwner', owner);

export const HubChannelsResponse = namedObject('HubChannelsResponse', {
  channels: Type.Array(Type.Object({ channelKey: Type.String(), ...owner })),
  ...next,
});

export const HubChannelMemberState = named(
  'HubChannelMemberState',
  stringEnum([
    'CHANNEL_MEMBER_STATE_NONE',
    'CHANNEL_MEMBER_STATE_MEMBER',
    'CHANNEL_MEMBER_STATE_MODERATOR',
    'CHANNEL_MEMBER_STATE_REMOVED',
    'CHANNEL_MEMBER_STATE_BANNED',
  ]),
);
export type HubChannelMemberState = Static<typeof HubChannelMemberState>;

export const HubChannelMember = namedObject('HubChannelMember', {
  state: HubChannelMemberState,
  lastActionTs: Type.Optional(Timestamp('Of the message that made it so')),
});

export const HubChannelMembersResponse = namedObject('HubChannelMembersResponse', {
  members: Type.Array(Type.Object({ fid: HubFid, state: HubChannelMemberState })),
  ...next,
});

export const HubChannelMembershipsResponse = namedObject('HubChannelMembershipsResponse', {
  memberships: Type.Array(Type.Object({ channelId: ChannelId, state: HubChannelMemberState })),
  ...next,
});

const Author = Type.Integer({
  format: 'uint64',
  minimum: 0,
  description: 'The account that did it; 0 where an earlier version of this service stored it.',
});

export const HubChannelPin = namedObject('HubChannelPin', {
  pin: nullable(Type.Object({ castHash: CastHash, authorFid: Author })),
});

export const HubChannelModerationsResponse = namedObject('HubChannelModerationsResponse', {
  moderations: Type.Array(
    Type.Object({
      castHash: CastHash,
      action: stringEnum(['CHANNEL_MODERATE_ACTION_HIDE', 'CHANNEL_MODERATE_ACTION_UNHIDE']),
      authorFid: Author,
    }),
  ),
  ...next,
});

const text = (description: string) => nullable(Type.String({ description }));

/** What the latest update says; what it leaves out is null. */
export const HubChannelMetadata = namedObject('HubChannelMetadata', {
  name: text('Null where no update says one.'),
  description: text('What the channel is about.'),
  imageUrl: text('Its picture.'),
  header: text('Its header.'),
  rules: text('Its rules.'),
  castingMode: stringEnum(['CASTING_MODE_EVERYONE', 'CASTING_MODE_MEMBERS_ONLY', 'CASTING_MODE_RECOMMENDED'], {
    description: 'Who should cast in it: advice, which hubs do not enforce.',
  }),
  membershipMode: stringEnum(['MEMBERSHIP_MODE_OPEN', 'MEMBERSHIP_MODE_APPROVAL'], {
    description: 'Whether an account may add itself.',
  }),
});
export type HubChannelMetadata = Static<typeof HubChannelMetadata>;

const followedAt = Timestamp('Of the like that is the follow');

export const HubChannelFollowersResponse = namedObject('HubChannelFollowersResponse', {
  followers: Type.Array(Type.Object({ fid: HubFid, followedAt })),
  ...next,
});

export const HubChannelFollowerCount = namedObject('HubChannelFollowerCount', {
  count: Type.Integer({ format: 'uint64', minimum: 0 }),
});

export const HubChannelFollowsResponse = namedObject('HubChannelFollowsResponse', {
  follows: Type.Array(Type.Object({ channelId: ChannelId, followedAt })),
  ...next,
});

export const HubChannelFollow = namedObject('HubChannelFollow', {
  following: Type.Boolean(),
  followedAt: Type.Optional(followedAt),
});
