import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
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
  title: 'Add a verified address',
  summary:
    'Add a verified Ethereum address, claimed by a signature of its owner. A contract wallet is asked on its chain, by ' +
    'the hub of CASTELLAN_HUB_URL or through CASTELLAN_RPC_ETHEREUM and CASTELLAN_RPC_OPTIMISM.',
  cost: { fixed: 10 },
  body: AddVerificationReqBody,
  bodyExample: {
    signer_uuid: EXAMPLE_SIGNER_UUID,
    address: '0xe59901686d63144039fb0941ee32072242b4bfce',
    block_hash: `0x${'01'.repeat(32)}`,
    eth_signature:
      '0x8bf75b194c869a87af803b9f6b23057950fbc0e18c2729baa4051c0ec5c47d682ce313fa2acc4dc9394de2ce622ff12b986238cdbcbb195aa29fdab52c80a3751c',
  },
  response: OperationResponse,
  errors: [400, 403, 404, 409, 500, 504],
  handle: async ({ body, caller }, { signers, writer }) => {
    const signer = await signers.use(caller.appId, body.signer_uuid, 'ADD_VERIFICATION');
    const draft = draftVerification(readAddressClaim(body));
    await writer.write(signer, draft, { property: 'eth_signature', unlessStored: true });
    return { success: true };
  },
});
