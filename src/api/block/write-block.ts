import type { MessageType } from '@farcaster/core';
import type { Static } from 'typebox';
import { invalidField } from '../../error.js';
import type { BlockReqBody } from '../../schema/social/block.js';
import type { Services } from '../http/service.js';

/**
 * Adds or removes a block link, unless the newest message about it already says so.
 * @throws AppError invalid with property `blocked_fid` for the signer's own fid
 */
export const writeBlock = async (
  type: MessageType.LINK_ADD | MessageType.LINK_REMOVE,
  appId: string,
  { signer_uuid, blocked_fid: targetFid }: Static<typeof BlockReqBody>,
  { signers, writer }: Pick<Services, 'signers' | 'writer'>,
): Promise<{ readonly success: true }> => {
  // No narrower permission covers blocks.
  const signer = await signers.use(appId, signer_uuid, 'WRITE_ALL');
  if (targetFid === signer.fid) {
    throw invalidField('blocked_fid', "blocked_fid must be somebody else than the signer's own fid");
  }
  const draft = { type, linkBody: { type: 'block', targetFid } };
  await writer.write(signer, draft, { property: 'blocked_fid', unlessStored: true });
  return { success: true };
};
