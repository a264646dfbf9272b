import { OperationResponse } from '../../schema/operation.js';
import { RemoveVerificationReqBody } from '../../schema/social/verification.js';
import { draftVerificationRemoval } from '../../write/verification.js';
import { operation } from '../http/operation.js';
import { readAddressClaim } from './address-claim.js';

export const deleteVerification = operation({
  id: 'delete-verification',
  method: 'DELETE',
  path: '/v2/social/user/verification/',
  tags: ['User'],
  summary:
    "Remove a verified Ethereum address. The signer's word is enough for the protocol, so that an address can be given " +
    'up whose key is lost: block_hash and eth_signature must be well formed, and are not part of the removal.',
  body: RemoveVerificationReqBody,
  response: OperationResponse,
  errors: [400, 403, 404, 409, 500, 504],
  handle: async ({ body, caller }, { signers, writer }) => {
    const signer = await signers.use(caller.appId, body.signer_uuid, 'REMOVE_VERIFICATION');
    const { address } = readAddressClaim(body);
    await writer.write(signer, draftVerificationRemoval(address), { property: 'address', unlessStored: true });
    return { success: true };
  },
});
