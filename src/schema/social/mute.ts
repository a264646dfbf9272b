import Type from 'typebox';
import { Fid } from '../fid.js';
import { named } from '../named.js';
import { NextCursor } from '../page.js';
import { User } from './user.js';

export const MuteRecord = named(
  'MuteRecord',
  Type.Object({
    muted: User,
    muted_at: Type.String({ format: 'date-time' }),
    object: Type.Enum(['mute'], { type: 'string' }),
  }),
);
export const MuteListResponse = named(
  'MuteListResponse',
  Type.Object({ mutes: Type.Array(MuteRecord), next: NextCursor }),
);

export const MuteReqBody = named('MuteReqBody', Type.Object({ fid: Fid, muted_fid: Fid }));

export const MuteResponse = named(
  'MuteResponse',
  Type.Object({ message: Type.Optional(Type.String()), success: Type.Boolean() }),
);
