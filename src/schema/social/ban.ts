import Type from 'typebox';
import { Fid } from '../fid.js';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { NextCursor } from '../page.js';
import { stringEnum } from '../string-enum.js';
import { User } from './user.js';

export const BanRecord = namedObject('BanRecord', {
  banned: Type.Optional(User),
  banned_at: Type.String({ format: 'date-time' }),
  object: stringEnum(['ban']),
});
export const BanListResponse = namedObject('BanListResponse', { bans: Type.Array(BanRecord), next: NextCursor });

export const BanReqBody = namedObject('BanReqBody', { fids: Type.Array(Fid) });

export const BanResponse = namedObject('BanResponse', {
  message: Type.Optional(nullable(Type.String())),
  success: Type.Boolean(),
});
