import Type from 'typebox';
import { Fid } from '../fid.js';
import { named } from '../named.js';
import { NextCursor } from '../page.js';
import { SignerUUID } from './signer.js';
import { User } from './user.js';

export const BlockRecord = named(
  'BlockRecord',
  Type.Object({
    blocked: Type.Optional(User),
    blocked_at: Type.String({ format: 'date-time' }),
    blocker: Type.Optional(User),
    object: Type.Enum(['block'], { type: 'string' }),
  }),
);
export const BlockListResponse = named(
  'BlockListResponse',
  Type.Object({ blocks: Type.Array(BlockRecord), next: NextCursor }),
);

export const BlockReqBody = named('BlockReqBody', Type.Object({ blocked_fid: Fid, signer_uuid: SignerUUID }));
