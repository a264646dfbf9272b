import Type from 'typebox';
import { Fid } from '../fid.js';
import { Idem } from '../idempotency.js';
import { named, namedObject } from '../named.js';
import { NextCursor } from '../page.js';
import { stringEnum } from '../string-enum.js';
import { Cast } from './cast.js';
import { CastDehydrated } from './cast-dehydrated.js';
import { SignerUUID } from './signer.js';
import { User } from './user.js';
import { UserDehydrated } from './user-dehydrated.js';

export const ReactionType = named('ReactionType', stringEnum(['like', 'recast']));

export const ReactionForCast = namedObject('ReactionForCast', {
  app: Type.Optional(UserDehydrated),
  object: stringEnum(['likes', 'recasts']),
  reaction_timestamp: Type.String({ format: 'date-time' }),
  reaction_type: ReactionType,
  user: User,
});
export const ReactionsCastResponse = namedObject('ReactionsCastResponse', {
  next: NextCursor,
  reactions: Type.Array(ReactionForCast),
});

export const ReactionWithCastInfo = namedObject('ReactionWithCastInfo', {
  app: Type.Optional(UserDehydrated),
  cast: Cast,
  object: stringEnum(['likes', 'recasts']),
  reaction_timestamp: Type.String({ format: 'date-time' }),
  reaction_type: stringEnum(['like', 'recast']),
  user: UserDehydrated,
});
export const ReactionsResponse = namedObject('ReactionsResponse', {
  next: NextCursor,
  reactions: Type.Array(ReactionWithCastInfo),
});

export const ReactionWithUserInfo = namedObject('ReactionWithUserInfo', {
  cast: CastDehydrated,
  object: stringEnum(['likes', 'recasts']),
  user: User,
});
export const ReactionReqBody = namedObject('ReactionReqBody', {
  idem: Type.Optional(Idem),
  reaction_type: ReactionType,
  signer_uuid: SignerUUID,
  target: Type.String({ description: 'Cast hash with 0x or a URL.' }),
  target_author_fid: Type.Optional(Fid),
});
