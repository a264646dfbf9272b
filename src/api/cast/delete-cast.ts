import type { Database } from '../../db/database.js';
import { AppError, notFound } from '../../error.js';
import { MessageSet } from '../../protocol/conflict.js';
import { EXAMPLE_HASH, EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { OperationResponse } from '../../schema/operation.js';
import { DeleteCastReqBody } from '../../schema/social/cast-write.js';
import { selectMessages } from '../../store/protocol/message.js';
import { selectCasts } from '../../store/query/cast.js';
import { draftCastRemoval } from '../../write/cast.js';
import { operation } from '../http/operation.js';

/** @throws AppError unless the account wrote the cast; a deleted cast is accepted, so that deleting can be repeated */
const checkOwn = async (db: Database, fid: number, hash: Buffer): Promise<void> => {
  const [[own], [stored]] = await Promise.all([
    selectMessages(db, [{ fid, messageSet: MessageSet.cast, key: hash }]),
    selectCasts(db, [hash.toString('hex')]),
  ]);
  if (own !== undefined) return;
  if (stored === undefined) throw notFound('No such cast is stored.', 'target_hash');
  const message = `The cast is by fid ${stored.fid}, the signer is of fid ${fid}: only its author can delete a cast.`;
  throw new AppError('forbidden', 'Forbidden', message, { property: 'target_hash' });
};

export const deleteCast = operation({
  id: 'delete-cast',
  method: 'DELETE',
  path: '/v2/social/cast/',
  tags: ['Cast'],
  title: 'Delete a cast',
  summary: 'Delete a cast of the account that the signer belongs to. Deleting it again changes nothing.',
  cost: { fixed: 10 },
  body: DeleteCastReqBody,
  bodyExample: { signer_uuid: EXAMPLE_SIGNER_UUID, target_hash: EXAMPLE_HASH.spare },
  response: OperationResponse,
  errors: [400, 403, 404, 500, 504],
  handle: async ({ body, caller }, { db, signers, writer }) => {
    const signer = await signers.use(caller.appId, body.signer_uuid, 'DELETE_CAST');
    const hash = Buffer.from(body.target_hash.slice(-40), 'hex');
    await checkOwn(db, signer.fid, hash);
    await writer.write(signer, draftCastRemoval(hash), { property: 'target_hash', unlessStored: true });
    return { success: true };
  },
});
