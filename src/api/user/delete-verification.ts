import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
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
  title: 'Remove a verified address',
  summary:
    "Remove a verified Ethereum address. The signer's word is enough for the protocol, so that an address can be given " +
    'up whose key is lost: block_hash and eth_signature must be well formed, and are not part of the removal.',
  cost: { fixed: 10 },
  body: RemoveVerificationReqBody,
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
    const signer = await signers.use(caller.appId, body.signer_uuid, 'REMOVE_VERIFICATION');
    const { address } = readAddressClaim(body);
    await writer.write(signer, draftVerificationRemoval(address), { property: 'address', unlessStored: true });
    return { success: true };
  },
});
