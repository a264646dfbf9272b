import Type from 'typebox';
import { Fid } from '../fid.js';
import { Idem } from '../idempotency.js';
import { named } from '../named.js';
import { NextCursor } from '../page.js';
import { Cast } from './cast.js';
import { CastDehydrated } from './cast-dehydrated.js';
import { SignerUUID } from './signer.js';
import { User } from './user.js';
import { UserDehydrated } from './user-dehydrated.js';

export const ReactionType = named('ReactionType', Type.Enum(['like', 'recast'], { type: 'string' }));

export const ReactionForCast = named(
  'ReactionForCast',
  Type.Object({
    app: Type.Optional(UserDehydrated),
    object: Type.Enum(['likes', 'recasts'], { type: 'string' }),
    reaction_timestamp: Type.String({ format: 'date-time' }),
    reaction_type: ReactionType,
    user: User,
  }),
);
export const ReactionsCastResponse = named(
  'ReactionsCastResponse',
  Type.Object({ next: NextCursor, reactions: Type.Array(ReactionForCast) }),
);

export const ReactionWithCastInfo = named(
  'ReactionWithCastInfo',
  Type.Object({
    app: Type.Optional(UserDehydrated),
    cast: Cast,
    object: Type.Enum(['likes', 'recasts'], { type: 'string' }),
    reaction_timestamp: Type.String({ format: 'date-time' }),
    reaction_type: Type.Enum(['like', 'recast'], { type: 'string' }),
    user: UserDehydrated,
  }),
);
export const ReactionsResponse = named(
  'ReactionsResponse',
  Type.Object({ next: NextCursor, reactions: Type.Array(ReactionWithCastInfo) }),
);

export const ReactionWithUserInfo = named(
  'ReactionWithUserInfo',
  Type.Object({ cast: CastDehydrated, object: Type.Enum(['likes', 'recasts'], { type: 'string' }), user: User }),
);
export const ReactionReqBody = named(
  'ReactionReqBody',
  Type.Object({
    idem: Type.Optional(Idem),
    reaction_type: ReactionType,
    signer_uuid: SignerUUID,
    target: Type.String({ description: 'Cast hash with 0x or a URL.' }),
    target_author_fid: Type.Optional(Fid),
  }),
);
