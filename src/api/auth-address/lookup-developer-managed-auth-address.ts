import Type from 'typebox';
import { EthAddress } from '../../schema/address.js';
import { AuthAddressResponse } from '../../schema/social/auth-address.js';
import { authAddressKey } from '../../store/access/fid-of-address.js';
import { KeyType, selectKeyStatus } from '../../store/access/signed-key-request.js';
import { operation } from '../http/operation.js';
import { viewAuthAddress } from './view-auth-address.js';

export const lookupDeveloperManagedAuthAddress = operation({
  id: 'lookup-developer-managed-auth-address',
  path: '/v2/social/auth_address/developer_managed/',
  tags: ['AuthAddress'],
  title: 'Get an auth address',
  summary: 'Read the status of an address with which an account can sign in.',
  cost: { fixed: 1 },
  needsApp: true,
  query: Type.Object({ address: EthAddress }),
  parameters: { address: { description: 'The Ethereum address that is to sign in.' } },
  response: AuthAddressResponse,
  errors: [400, 500],
  handle: async ({ query, caller }, { db, publicUrl, clock }) => {
    const key = authAddressKey(Buffer.from(query.address.slice(2), 'hex'));
    const row = await selectKeyStatus(db, key, KeyType.authAddress, caller.appId);
    return viewAuthAddress(query.address, row, { publicUrl, now: clock() });
  },
});
