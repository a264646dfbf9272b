import { registerOnchain } from '../../account/onchain-registration.js';
import { RegisterUserOnChainReqBody, RegisterUserOnChainResponse } from '../../schema/account/registration.js';
import { idempotent } from '../../write/idempotency.js';
import { walletIdHeader } from '../http/idempotency-key.js';
import { operation } from '../http/operation.js';
import { readUser } from './view-user.js';

const ID = 'register-account-onchain';

export const registerAccountOnchain = operation({
  id: ID,
  method: 'POST',
  path: '/v2/social/user/register/',
  tags: ['Onchain'],
  summary:
    'Register an account that a person signed for, with a unit of storage and signers if wanted, in one transaction ' +
    'that the wallet pays.',
  scope: 'wallet',
  waitsOutside: true,
  headers: walletIdHeader,
  body: RegisterUserOnChainReqBody,
  response: RegisterUserOnChainResponse,
  errors: [400, 403, 404, 409, 500, 504],
  handle: async ({ body, caller, headers }, { accounts, wallets, reads }) => {
    const wallet = await wallets.use(caller.organizationId, headers['x-wallet-id']);
    const { appId } = caller;
    const { idem, ...rest } = body;
    const request = { appId, operation: ID, idem, body: { wallet: wallet.id, ...rest } };
    return idempotent(accounts, request, async (idempotencyRecord): Promise<RegisterUserOnChainResponse> => {
      const { fid, hash } = await registerOnchain(accounts, { appId, wallet, body, idempotencyRecord });
      const user = await readUser(reads, fid);
      return { message: `fid ${fid} is registered.`, transaction_hash: hash, user };
    });
  },
});
