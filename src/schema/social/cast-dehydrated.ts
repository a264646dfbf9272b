import Type, { type Static } from 'typebox';
import { Fid } from '../fid.js';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { stringEnum } from '../string-enum.js';
import { UserDehydrated } from './user-dehydrated.js';

export const CastId = namedObject('CastId', { fid: Fid, hash: Type.String() }, { deprecated: true });
export type CastId = Static<typeof CastId>;

export const CastDehydrated = namedObject('CastDehydrated', {
  app: Type.Optional(nullable(UserDehydrated)),
  author: Type.Optional(UserDehydrated),
  hash: Type.String(),
  object: stringEnum(['cast_dehydrated']),
});
export type CastDehydrated = Static<typeof CastDehydrated>;

export const CastParentAuthor = namedObject('CastParentAuthor', { fid: nullable(Fid) });
