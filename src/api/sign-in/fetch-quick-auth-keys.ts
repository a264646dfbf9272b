import { QuickAuthKeySet } from '../../schema/sign-in.js';
import { operation } from '../http/operation.js';

export const fetchQuickAuthKeys = operation({
  id: 'fetch-quick-auth-keys',
  path: '/.well-known/jwks.json',
  tags: ['Sign in'],
  title: 'Get the keys of Quick Auth',
  summary: 'Read the public keys with which tokens of Quick Auth are verified (RFC 7517). Own extension.',
  cost: { fixed: 0 },
  scope: 'public',
  limitsAddresses: true,
  response: QuickAuthKeySet,
  errors: [],
  handle: (_request, { quickAuth }) => quickAuth.keySet() as never,
});
