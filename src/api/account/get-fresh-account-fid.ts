import Type from 'typebox';
import { reserveAccount } from '../../account/reservation.js';
import { UserFIDResponse } from '../../schema/account/registration.js';
import { walletIdHeader } from '../http/idempotency-key.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';

export const getFreshAccountFid = operation({
  id: 'get-fresh-account-FID',
  path: '/v2/social/user/fid/',
  tags: ['User'],
  title: 'Reserve an account',
  summary:
    'Reserve an account for a person for ten minutes. The wallet pays for it if none is free: the answer may then take ' +
    'some seconds, or be a 500 that says to try again.',
  cost: { fixed: 150 },
  waitsOutside: true,
  scope: 'wallet',
  headers: Type.Object({ ...experimentalHeader.properties, ...walletIdHeader.properties }),
  response: UserFIDResponse,
  errors: [400, 403, 404, 500],
  handle: async ({ caller, headers }, { accounts, wallets }) => {
    const wallet = await wallets.use(caller.organizationId, headers['x-wallet-id']);
    return { fid: await reserveAccount(accounts, { appId: caller.appId, wallet }) };
  },
});
