import { EXAMPLE_UUID } from '../../schema/example.js';
import { RegisterSignerKeyReqBody, Signer } from '../../schema/social/signer.js';
import { operation } from '../http/operation.js';
import { viewSigner } from './view-signer.js';

export const registerSignedKey = operation({
  id: 'register-signed-key',
  method: 'POST',
  path: '/v2/social/signer/signed_key/',
  tags: ['Signer'],
  title: 'Request approval of a signer',
  summary: 'Register the signed key request of an app for a signer, and get the address where an account approves it.',
  cost: { fixed: 10 },
  body: RegisterSignerKeyReqBody,
  bodyExample: { app_fid: 2, deadline: 1_800_000_000, signature: `0x${'00'.repeat(65)}`, signer_uuid: EXAMPLE_UUID },
  bodyExampleNote: 'Sign one of your own: on the local network `castellan account sign-key` prints a body.',
  response: Signer,
  errors: [400, 403, 404, 500],
  handle: async ({ body, caller }, { signers, publicUrl }) =>
    viewSigner(await signers.register(caller.appId, body.signer_uuid, body), publicUrl),
});
