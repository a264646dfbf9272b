import type { Static } from 'typebox';
import { registerAccount } from '../../account/registration.js';
import { readRegistrationRequest } from '../../account/registration-request.js';
import { RegisterUserReqBody, RegisterUserResponse } from '../../schema/account/registration.js';
import { walletIdHeader } from '../http/idempotency-key.js';
import { operation } from '../http/operation.js';
import { viewSigner } from '../signer/view-signer.js';
import { readUser } from './view-user.js';

export const registerAccountOperation = operation({
  id: 'register-account',
  method: 'POST',
  path: '/v2/social/user/',
  tags: ['User'],
  title: 'Register a reserved account',
  summary:
    'Give a reserved account to a person, who signed for its transfer: with a name, a signer of the app and a profile. ' +
    'The same request again continues the first one, or repeats its answer.',
  cost: { fixed: 150 },
  scope: 'wallet',
  waitsOutside: true,
  headers: walletIdHeader,
  body: RegisterUserReqBody,
  bodyExample: {
    fid: 1,
    requested_user_custody_address: `0x${'11'.repeat(20)}`,
    deadline: 1_800_000_000,
    signature: `0x${'00'.repeat(65)}`,
    fname: 'somebody',
    metadata: { display_name: 'Somebody', bio: 'A person who casts.' },
  },
  bodyExampleNote: 'Reserve an account first, and let the person sign its transfer (docs/accounts.md).',
  response: RegisterUserResponse,
  errors: [400, 401, 403, 404, 409, 500, 504],
  handle: async ({ body, caller, headers }, services): Promise<Static<typeof RegisterUserResponse>> => {
    const { accounts, wallets, signers, reads, publicUrl } = services;
    const wallet = await wallets.use(caller.organizationId, headers['x-wallet-id']);
    const request = readRegistrationRequest(body, wallet.id);
    const { signerId } = await registerAccount(accounts, request, { appId: caller.appId, wallet });
    const signer = viewSigner(await signers.look(caller.appId, signerId), publicUrl);
    const { signer_uuid: uuid, ...shown } = signer;
    const user = await readUser(reads, request.fid);
    return {
      success: true,
      message: `fid ${request.fid} belongs to ${request.custody}.`,
      signer,
      signers: [{ ...shown, uuid }],
      user,
    };
  },
});
