import { fromHex } from '../../hex.js';
import { usableAddress } from '../../onchain/checked-address.js';
import {
  AuthAddressResponse,
  RegisterAuthAddressDeveloperManagedSignedKeyReqBody,
} from '../../schema/social/auth-address.js';
import { registerKeyRequest } from '../../signer/key-request.js';
import { authAddressKey } from '../../store/access/fid-of-address.js';
import { KeyType } from '../../store/access/signed-key-request.js';
import { operation } from '../http/operation.js';
import { viewAuthAddress } from './view-auth-address.js';

export const registerSignedKeyForDeveloperManagedAuthAddress = operation({
  id: 'register-signed-key-for-developer-managed-auth-address',
  method: 'POST',
  path: '/v2/social/auth_address/developer_managed/signed_key/',
  tags: ['AuthAddress'],
  title: 'Request approval of an auth address',
  summary: 'Register the signed key request of an app for an address, to be approved by an account.',
  cost: { fixed: 10 },
  waitsOutside: true,
  body: RegisterAuthAddressDeveloperManagedSignedKeyReqBody,
  bodyExample: {
    app_fid: 2,
    deadline: 1_800_000_000,
    signature: `0x${'00'.repeat(65)}`,
    address: `0x${'33'.repeat(20)}`,
  },
  bodyExampleNote: 'Sign one of your own: on the local network `castellan account sign-key` prints a body.',
  response: AuthAddressResponse,
  errors: [400, 500],
  handle: async ({ body, caller }, { db, networks, publicUrl, clock }) => {
    const key = authAddressKey(fromHex(usableAddress(body.address, 'address')));
    const requested = { appId: caller.appId, key, keyType: KeyType.authAddress, property: 'address' } as const;
    const row = await registerKeyRequest({ db, networks }, requested, body, clock());
    return viewAuthAddress(body.address, row, { publicUrl, now: clock() });
  },
});
