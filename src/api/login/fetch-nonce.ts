import { NonceResponse } from '../../schema/social/login.js';
import { generateNonce } from '../../sign-in/login.js';
import { operation } from '../http/operation.js';

export const fetchNonce = operation({
  id: 'fetch-nonce',
  path: '/v2/social/login/nonce/',
  tags: ['Login'],
  title: 'Get a sign-in nonce',
  summary: 'Get a nonce to sign in with: good for one message, for ten minutes, within the calling app.',
  cost: { fixed: 1 },
  needsApp: true,
  response: NonceResponse,
  errors: [401, 500],
  handle: async ({ caller }, { db, clock }) => ({ nonce: await generateNonce(db, caller.appId, clock()) }),
});
