import { NonceResponse } from '../../schema/social/login.js';
import { drawNonce } from '../../signer/sign-in.js';
import { operation } from '../operation.js';

export const fetchNonce = operation({
  id: 'fetch-nonce',
  method: 'GET',
  path: '/v2/social/login/nonce/',
  tags: ['Login'],
  summary: 'Get a nonce to sign in with: good once, for ten minutes, within the calling app.',
  family: 'v2',
  scope: 'read',
  response: NonceResponse,
  errors: [401, 500],
  handle: async ({ caller }, { db, clock }) => ({ nonce: await drawNonce(db, caller.appId, clock()) }),
});
