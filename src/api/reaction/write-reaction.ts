import type { MessageType } from '@farcaster/core';
import type { Static } from 'typebox';
import type { ReactionReqBody } from '../../schema/social/reaction.js';
import type { SignerPermission } from '../../signer/permission.js';
import { idempotent } from '../../write/idempotency.js';
import type { Services } from '../http/service.js';
import { readReaction } from './reaction-target.js';

interface ReactionWrite {
  /** operationId */
  readonly operation: string;
  readonly type: MessageType.REACTION_ADD | MessageType.REACTION_REMOVE;
  readonly permission: SignerPermission;
  readonly appId: string;
  readonly body: Static<typeof ReactionReqBody>;
}

/** Adds or removes a reaction, unless the newest message about it already says so. */
export const writeReaction = async (
  { operation, type, permission, appId, body }: ReactionWrite,
  { db, clock, signers, writer }: Pick<Services, 'db' | 'clock' | 'signers' | 'writer'>,
): Promise<{ readonly success: true }> =>
  idempotent({ db, clock }, { appId, operation, idem: body.idem, body }, async (idempotencyRecord) => {
    const signer = await signers.use(appId, body.signer_uuid, permission);
    const draft = async () => ({ type, reactionBody: await readReaction(db, body) });
    await writer.write(signer, draft, { idempotencyRecord: idempotencyRecord, property: 'target', unlessStored: true });
    return { success: true };
  });
