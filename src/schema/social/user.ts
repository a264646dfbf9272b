import Type, { type Static } from 'typebox';
import { EthAddress, SolAddress } from '../address.js';
import { Fid } from '../fid.js';
import { named, namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { NextCursor } from '../page.js';
import { stringEnum } from '../string-enum.js';
import { UserDehydrated } from './user-dehydrated.js';
import { UserProfile } from './user-profile.js';

export const UserAuthAddress = namedObject('UserAuthAddress', { address: EthAddress, app: UserDehydrated });
/** The same score as `User.score`, for older clients. */
export const UserExperimental = namedObject('UserExperimental', {
  deprecation_notice: Type.Optional(Type.String()),
  service_user_score: Type.Number({ format: 'double', description: 'Probability that the account is not spam.' }),
});
export const UserPro = namedObject('UserPro', {
  expires_at: Type.String({ format: 'date-time' }),
  status: stringEnum(['subscribed', 'unsubscribed']),
  subscribed_at: Type.String({ format: 'date-time' }),
});
export const UserVerifiedAccount = namedObject('UserVerifiedAccount', {
  platform: Type.Optional(stringEnum(['x', 'github'])),
  username: Type.Optional(Type.String()),
});
export const UserVerifiedAddresses = namedObject('UserVerifiedAddresses', {
  eth_addresses: Type.Array(EthAddress, { description: 'Oldest first.' }),
  primary: Type.Object({ eth_address: nullable(EthAddress), sol_address: nullable(SolAddress) }),
  sol_addresses: Type.Array(SolAddress, { description: 'Oldest first.' }),
});
/** The relation between the viewer of the request and this user; absent without a viewer. */
export const UserViewerContext = namedObject('UserViewerContext', {
  blocked_by: Type.Boolean(),
  blocking: Type.Boolean(),
  followed_by: Type.Boolean(),
  following: Type.Boolean(),
});
/** An account with its profile and counters; counters are global, never filtered by the viewer. */
export const User = namedObject('User', {
  auth_addresses: Type.Array(UserAuthAddress),
  custody_address: EthAddress,
  display_name: Type.Optional(nullable(Type.String())),
  experimental: Type.Optional(UserExperimental),
  fid: Fid,
  follower_count: Type.Integer({ format: 'int32' }),
  following_count: Type.Integer({ format: 'int32' }),
  object: stringEnum(['user']),
  pfp_url: Type.Optional(nullable(Type.String())),
  pro: Type.Optional(UserPro),
  profile: UserProfile,
  registered_at: Type.String({ format: 'date-time' }),
  score: Type.Optional(Type.Number({ format: 'double', description: 'Probability that the account is not spam.' })),
  username: Type.String(),
  verifications: Type.Array(EthAddress),
  verified_accounts: Type.Array(UserVerifiedAccount),
  verified_addresses: UserVerifiedAddresses,
  viewer_context: Type.Optional(UserViewerContext),
});

export const UserResponse = namedObject('UserResponse', { user: User });

export const BulkUsersResponse = namedObject('BulkUsersResponse', { users: Type.Array(User) });

/** Keys are addresses; an address may belong to several users. */
export const BulkUsersByAddressResponse = named(
  'BulkUsersByAddressResponse',
  Type.Unsafe<Record<string, Static<typeof User>[]>>(Type.Object({}, { additionalProperties: Type.Array(User) })),
);

export const UsersResponse = namedObject('UsersResponse', { next: NextCursor, users: Type.Array(User) });

export const UserSearchResponse = namedObject('UserSearchResponse', {
  result: Type.Object({ next: Type.Optional(NextCursor), users: Type.Array(User) }),
});
