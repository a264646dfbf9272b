import Type from 'typebox';
import { notFound } from '../../error.js';
import { messageToJson } from '../../protocol/hub-json/message.js';
import { decodeMessage } from '../../protocol/wire/decode.js';
import { encodeEnvelope } from '../../protocol/wire/envelope.js';
import type { HubCastAdd } from '../../schema/hub/cast.js';
import { CastCheckResponse } from '../../schema/hub/cast-check.js';
import { selectSignerKeys } from '../../store/protocol/signer-key.js';
import { operation } from '../http/operation.js';
import { findCast } from '../hub/message/single.js';
import { bytesOf, fidQuery, hashQuery } from '../hub/parameter.js';
import { HASH_TEXT } from '../hub/parameter-text.js';

export const checkCast = operation({
  id: 'check-cast',
  path: '/portal/cast-check',
  tags: ['portal'],
  title: 'Check the signed message of a cast',
  summary: 'Read a cast as its author signed it. Its hash and its signature are checked now, not when it was stored.',
  cost: { fixed: 0 },
  scope: 'read',
  needsApp: true,
  query: Type.Object({ fid: fidQuery, hash: hashQuery }),
  parameters: { fid: { description: 'The author of the cast.', example: 1 }, hash: HASH_TEXT },
  response: CastCheckResponse,
  errors: [400, 404],
  handle: async ({ query: { fid, hash } }, { db, hub }) => {
    const envelope = await findCast(db, fid, bytesOf(hash, 'hash', 20));
    if (envelope === undefined) throw notFound(`Fid ${fid} has no cast ${hash} here.`, 'hash');
    const [[result], [key]] = await Promise.all([
      hub.verify([encodeEnvelope(envelope)], { futureTimestamps: 'accept' }),
      selectSignerKeys(db, [{ fid, key: Buffer.from(envelope.signer) }]),
    ]);
    return {
      message: messageToJson(decodeMessage(envelope)) as HubCastAdd,
      is_valid: result?.ok === true,
      problem: result?.ok === false ? result.detail : null,
      key: key ? { is_active: key.active, decided_at: key.decidedAt.toISOString(), app_fid: key.requestFid } : null,
    };
  },
});
