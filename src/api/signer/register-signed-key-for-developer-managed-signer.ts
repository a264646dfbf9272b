import { DeveloperManagedSigner, RegisterDeveloperManagedSignedKeyReqBody } from '../../schema/social/signer.js';
import { registerKeyRequest } from '../../signer/key-request.js';
import { KeyType } from '../../store/access/signed-key-request.js';
import { operation } from '../http/operation.js';
import { viewDeveloperManagedSigner } from './view-developer-managed-signer.js';

export const registerSignedKeyForDeveloperManagedSigner = operation({
  id: 'register-signed-key-for-developer-managed-signer',
  method: 'POST',
  path: '/v2/social/signer/developer_managed/signed_key/',
  tags: ['Signer'],
  title: 'Request approval of your own signer',
  summary:
    'Register the signed key request of an app for a key that the developer keeps, to be approved by an account.',
  cost: { fixed: 10 },
  waitsOutside: true,
  body: RegisterDeveloperManagedSignedKeyReqBody,
  bodyExample: {
    app_fid: 2,
    deadline: 1_800_000_000,
    signature: `0x${'00'.repeat(65)}`,
    public_key: `0x${'22'.repeat(32)}`,
  },
  bodyExampleNote: 'Sign one of your own: on the local network `castellan account sign-key` prints a body.',
  response: DeveloperManagedSigner,
  errors: [400, 500],
  handle: async ({ body, caller }, { db, networks, publicUrl, clock }) => {
    const key = Buffer.from(body.public_key.slice(2), 'hex');
    const requested = { appId: caller.appId, key, keyType: KeyType.signer, property: 'public_key' } as const;
    const row = await registerKeyRequest({ db, networks }, requested, body, clock());
    return viewDeveloperManagedSigner(body.public_key, row, { publicUrl, now: clock() });
  },
});
