import { RegisterSignerKeyReqBody, Signer } from '../../schema/social/signer.js';
import { operation } from '../http/operation.js';
import { viewSigner } from './view-signer.js';

export const registerSignedKey = operation({
  id: 'register-signed-key',
  method: 'POST',
  path: '/v2/social/signer/signed_key/',
  tags: ['Signer'],
  summary: 'Register the signed key request of an app for a signer, and get the address where an account approves it.',
  body: RegisterSignerKeyReqBody,
  response: Signer,
  errors: [400, 403, 404, 500],
  handle: async ({ body, caller }, { signers, publicUrl }) =>
    viewSigner(await signers.register(caller.appId, body.signer_uuid, body), publicUrl),
});
