import { OperationResponse } from '../../schema/operation.js';
import { AddVerificationReqBody } from '../../schema/social/verification.js';
import { draftVerification } from '../../write/verification.js';
import { operation } from '../http/operation.js';
import { readAddressClaim } from './address-claim.js';

export const publishVerification = operation({
  id: 'publish-verification',
  method: 'POST',
  path: '/v2/social/user/verification/',
  tags: ['User'],
  summary:
    'Add a verified Ethereum address, claimed by a signature of its owner. A contract wallet is asked on its chain, by ' +
    'the hub of CASTELLAN_HUB_URL or through CASTELLAN_RPC_ETHEREUM and CASTELLAN_RPC_OPTIMISM.',
  body: AddVerificationReqBody,
  response: OperationResponse,
  errors: [400, 403, 404, 409, 500, 504],
  handle: async ({ body, caller }, { signers, writer }) => {
    const signer = await signers.use(caller.appId, body.signer_uuid, 'ADD_VERIFICATION');
    const draft = draftVerification(readAddressClaim(body));
    await writer.write(signer, draft, { property: 'eth_signature', unlessStored: true });
    return { success: true };
  },
});
