import type { MessageType } from '@farcaster/core';
import type { Static } from 'typebox';
import { invalidField } from '../../error.js';
import { toHex } from '../../hex.js';
import type { BulkFollowResponse, FollowReqBody } from '../../schema/social/follow.js';
import type { SignerPermission } from '../../signer/permission.js';
import type { Author } from '../../write/unsigned-message.js';
import { WriteError } from '../../write/write-error.js';
import type { Writer } from '../../write/writer.js';
import type { Services } from '../http/service.js';

/** @throws AppError invalid with property `target_fids` */
const checkTargets = (fids: readonly number[], self: number): void => {
  const property = 'target_fids';
  if (fids.length === 0) throw invalidField(property, 'target_fids must name 1 to 100 fids');
  const own = fids.indexOf(self);
  if (own >= 0) throw invalidField(property, `target_fids[${own}] must be somebody else than the signer's own fid`);
};

type Detail = Static<typeof BulkFollowResponse>['details'][number];

/** @returns the result for one link, and the error if it was not written */
const writeLink = async (
  writer: Writer,
  signer: Author,
  type: MessageType.LINK_ADD | MessageType.LINK_REMOVE,
  fid: number,
): Promise<{ readonly detail: Detail; readonly error?: WriteError }> => {
  const draft = { type, linkBody: { type: 'follow', targetFid: fid } };
  try {
    const { hash } = await writer.write(signer, draft, { property: 'target_fids', unlessStored: true });
    return { detail: { target_fid: fid, hash: toHex(hash), success: true } };
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    return { detail: { target_fid: fid, hash: toHex(error.hash), success: false }, error };
  }
};

/**
 * Adds or removes follows, one per distinct fid. A message that already says so is not written again, and its hash is
 * returned. Some may fail: then `success` is false, and `hash` is that of the attempted message.
 * @throws AppError of the first message when all of them fail
 */
export const writeFollows = async (
  request: {
    readonly type: MessageType.LINK_ADD | MessageType.LINK_REMOVE;
    readonly permission: SignerPermission;
    readonly appId: string;
    readonly body: Static<typeof FollowReqBody>;
  },
  { signers, writer }: Pick<Services, 'signers' | 'writer'>,
): Promise<Static<typeof BulkFollowResponse>> => {
  const { type, permission, appId, body } = request;
  const signer = await signers.use(appId, body.signer_uuid, permission);
  const fids = [...new Set(body.target_fids)];
  checkTargets(fids, signer.fid);
  // In parallel, so that the messages share a transaction.
  const tried = await Promise.all(fids.map((fid) => writeLink(writer, signer, type, fid)));
  const details = tried.map(({ detail }) => detail);
  const success = details.every((detail) => detail.success);
  if (tried[0]?.error && !details.some((detail) => detail.success)) throw tried[0].error;
  return { success, details };
};
