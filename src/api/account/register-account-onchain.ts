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
  title: 'Register an account onchain',
  summary:
    'Register an account that a person signed for, with a unit of storage and signers if wanted, in one transaction ' +
    'that the wallet pays.',
  cost: { fixed: 150 },
  scope: 'wallet',
  waitsOutside: true,
  headers: walletIdHeader,
  body: RegisterUserOnChainReqBody,
  bodyExample: {
    registration: {
      custody_address: `0x${'11'.repeat(20)}`,
      recovery_address: `0x${'11'.repeat(20)}`,
      deadline: 1_800_000_000,
      signature: `0x${'00'.repeat(65)}`,
    },
    idem: 'registration-17',
  },
  bodyExampleNote: 'Let the person sign the registration (docs/accounts.md).',
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
