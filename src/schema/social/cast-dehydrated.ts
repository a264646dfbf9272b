import Type, { type Static } from 'typebox';
import { Fid } from '../fid.js';
import { named } from '../named.js';
import { nullable } from '../nullable.js';
import { UserDehydrated } from './user-dehydrated.js';

export const CastId = named('CastId', Type.Object({ fid: Fid, hash: Type.String() }, { deprecated: true }));
export type CastId = Static<typeof CastId>;

export const CastDehydrated = named(
  'CastDehydrated',
  Type.Object({
    app: Type.Optional(nullable(UserDehydrated)),
    author: Type.Optional(UserDehydrated),
    hash: Type.String(),
    object: Type.Enum(['cast_dehydrated'], { type: 'string' }),
  }),
);
export type CastDehydrated = Static<typeof CastDehydrated>;

export const CastParentAuthor = named('CastParentAuthor', Type.Object({ fid: nullable(Fid) }));
