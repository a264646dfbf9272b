import Type from 'typebox';
import { Fid } from '../fid.js';
import { named } from '../named.js';
import { NextCursor } from '../page.js';
import { SignerUUID } from './signer.js';
import { User } from './user.js';
import { UserDehydrated } from './user-dehydrated.js';

export const Follower = named(
  'Follower',
  Type.Object({ app: Type.Optional(UserDehydrated), object: Type.Enum(['follower'], { type: 'string' }), user: User }),
);
export const FollowerDehydrated = named(
  'FollowerDehydrated',
  Type.Object({ object: Type.Enum(['follower_dehydrated'], { type: 'string' }), user: UserDehydrated }),
);
export const FollowersResponse = named(
  'FollowersResponse',
  Type.Object({ next: NextCursor, users: Type.Array(Follower) }),
);

export const RelevantFollowersResponse = named(
  'RelevantFollowersResponse',
  Type.Object({
    all_relevant_followers_dehydrated: Type.Array(FollowerDehydrated),
    top_relevant_followers_hydrated: Type.Array(Follower),
  }),
);

export const ReciprocalFollower = named(
  'ReciprocalFollower',
  Type.Object({
    object: Type.Enum(['reciprocal_follower'], { type: 'string' }),
    timestamp: Type.String({ format: 'date-time' }),
    user: User,
  }),
);
export const ReciprocalFollowersResponse = named(
  'ReciprocalFollowersResponse',
  Type.Object({ next: NextCursor, users: Type.Array(ReciprocalFollower) }),
);

export const FollowReqBody = named(
  'FollowReqBody',
  Type.Object({ signer_uuid: SignerUUID, target_fids: Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 100 }) }),
);

export const FollowResponse = named(
  'FollowResponse',
  Type.Object({ hash: Type.String(), success: Type.Boolean(), target_fid: Fid }),
);

export const BulkFollowResponse = named(
  'BulkFollowResponse',
  Type.Object({ details: Type.Array(FollowResponse), success: Type.Boolean() }),
);
