import Type from 'typebox';
import { Fid } from '../fid.js';
import { namedObject } from '../named.js';
import { NextCursor } from '../page.js';
import { stringEnum } from '../string-enum.js';
import { User } from './user.js';

export const MuteRecord = namedObject('MuteRecord', {
  muted: User,
  muted_at: Type.String({ format: 'date-time' }),
  object: stringEnum(['mute']),
});
export const MuteListResponse = namedObject('MuteListResponse', { mutes: Type.Array(MuteRecord), next: NextCursor });

export const MuteReqBody = namedObject('MuteReqBody', { fid: Fid, muted_fid: Fid });

export const MuteResponse = namedObject('MuteResponse', {
  message: Type.Optional(Type.String()),
  success: Type.Boolean(),
});
