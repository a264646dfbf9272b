import Type from 'typebox';
import { Fid } from '../fid.js';
import { namedObject } from '../named.js';
import { NextCursor } from '../page.js';
import { stringEnum } from '../string-enum.js';
import { SignerUUID } from './signer.js';
import { User } from './user.js';
import { UserDehydrated } from './user-dehydrated.js';

export const Follower = namedObject('Follower', {
  app: Type.Optional(UserDehydrated),
  object: stringEnum(['follower']),
  user: User,
});
export const FollowerDehydrated = namedObject('FollowerDehydrated', {
  object: stringEnum(['follower_dehydrated']),
  user: UserDehydrated,
});
export const FollowersResponse = namedObject('FollowersResponse', { next: NextCursor, users: Type.Array(Follower) });

export const RelevantFollowersResponse = namedObject('RelevantFollowersResponse', {
  all_relevant_followers_dehydrated: Type.Array(FollowerDehydrated),
  top_relevant_followers_hydrated: Type.Array(Follower),
});

export const ReciprocalFollower = namedObject('ReciprocalFollower', {
  object: stringEnum(['reciprocal_follower']),
  timestamp: Type.String({ format: 'date-time' }),
  user: User,
});
export const ReciprocalFollowersResponse = namedObject('ReciprocalFollowersResponse', {
  next: NextCursor,
  users: Type.Array(ReciprocalFollower),
});

export const FollowReqBody = namedObject('FollowReqBody', {
  signer_uuid: SignerUUID,
  target_fids: Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 100 }),
});

export const FollowResponse = namedObject('FollowResponse', {
  hash: Type.String(),
  success: Type.Boolean(),
  target_fid: Fid,
});

export const BulkFollowResponse = namedObject('BulkFollowResponse', {
  details: Type.Array(FollowResponse),
  success: Type.Boolean(),
});
