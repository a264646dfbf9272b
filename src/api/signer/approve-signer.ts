import { AppError } from '../../error.js';
import { ApproveSignerReqBody, Signer } from '../../schema/social/signer.js';
import { KeyType } from '../../store/access/signed-key-request.js';
import { operation } from '../http/operation.js';
import { viewSigner } from './view-signer.js';

export const approveSigner = operation({
  id: 'approve-signer',
  method: 'POST',
  path: '/portal/signer/approve',
  tags: ['portal'],
  title: 'Approve a signer locally',
  summary: 'On the local network of a development service: let an account approve a signer, without its wallet.',
  cost: { fixed: 0 },
  needsApp: true,
  body: ApproveSignerReqBody,
  bodyExample: { signer_uuid: '00000000-0000-4000-8000-000000000000', fid: 1 },
  bodyExampleNote: 'Put in a signer of your app that nobody has approved.',
  response: Signer,
  errors: [400, 403, 404, 409, 501],
  handle: async ({ body, caller }, { signers, publicUrl, addLocalKey }) => {
    if (addLocalKey === undefined) {
      const message =
        'Signers are approved by wallets here: open the signer_approval_url. Only a local network has none.';
      throw new AppError('not_implemented', 'NoLocalNetwork', message);
    }
    const { publicKey } = await signers.look(caller.appId, body.signer_uuid);
    await addLocalKey({ fid: body.fid, key: publicKey, keyType: KeyType.signer });
    return viewSigner(await signers.look(caller.appId, body.signer_uuid), publicUrl);
  },
});
