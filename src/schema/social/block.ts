import Type from 'typebox';
import { Fid } from '../fid.js';
import { namedObject } from '../named.js';
import { NextCursor } from '../page.js';
import { stringEnum } from '../string-enum.js';
import { SignerUUID } from './signer.js';
import { User } from './user.js';

export const BlockRecord = namedObject('BlockRecord', {
  blocked: Type.Optional(User),
  blocked_at: Type.String({ format: 'date-time' }),
  blocker: Type.Optional(User),
  object: stringEnum(['block']),
});
export const BlockListResponse = namedObject('BlockListResponse', {
  blocks: Type.Array(BlockRecord),
  next: NextCursor,
});

export const BlockReqBody = namedObject('BlockReqBody', { blocked_fid: Fid, signer_uuid: SignerUUID });
