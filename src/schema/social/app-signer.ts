import Type from 'typebox';
import { namedObject } from '../named.js';
import { Signer, SignerUUID } from './signer.js';

export const AppSignersResponse = namedObject('AppSignersResponse', {
  signers: Type.Array(Signer, { description: 'Newest first.' }),
  is_local: Type.Boolean({ description: 'Signers can be approved here, without a wallet.' }),
});

export const ApproveSignerReqBody = namedObject('ApproveSignerReqBody', {
  signer_uuid: SignerUUID,
  fid: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The account that approves it.' }),
});
