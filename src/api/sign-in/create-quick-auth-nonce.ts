import { QuickAuthNonce } from '../../schema/sign-in.js';
import { operation } from '../http/operation.js';

export const createQuickAuthNonce = operation({
  id: 'create-quick-auth-nonce',
  method: 'POST',
  path: '/nonce',
  tags: ['Sign in'],
  title: 'Get a nonce of Quick Auth',
  summary: 'Get a nonce for one sign-in with Quick Auth, within ten minutes. Own extension.',
  cost: { fixed: 0 },
  scope: 'public',
  limitsAddresses: true,
  response: QuickAuthNonce,
  errors: [],
  handle: async (_request, { quickAuth }) => ({ nonce: await quickAuth.createNonce() }),
});
