import Type from 'typebox';
import { Fid } from '../fid.js';
import { named } from '../named.js';
import { nullable } from '../nullable.js';
import { NextCursor } from '../page.js';
import { User } from './user.js';

export const BanRecord = named(
  'BanRecord',
  Type.Object({
    banned: Type.Optional(User),
    banned_at: Type.String({ format: 'date-time' }),
    object: Type.Enum(['ban'], { type: 'string' }),
  }),
);
export const BanListResponse = named('BanListResponse', Type.Object({ bans: Type.Array(BanRecord), next: NextCursor }));

export const BanReqBody = named('BanReqBody', Type.Object({ fids: Type.Array(Fid) }));

export const BanResponse = named(
  'BanResponse',
  Type.Object({ message: Type.Optional(nullable(Type.String())), success: Type.Boolean() }),
);
