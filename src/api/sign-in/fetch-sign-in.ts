import { CompletedSignIn, PendingSignIn } from '../../schema/sign-in.js';
import { HandlerResponse, operation } from '../http/operation.js';
import { requireToken, TOKEN_PARAMETERS, TokenHeaders } from './token-header.js';
import { viewSignIn } from './view-sign-in.js';

export const fetchSignIn = operation({
  id: 'fetch-sign-in',
  path: '/v1/channel/status',
  tags: ['Sign in'],
  title: 'Get a sign-in',
  summary: 'Read whether somebody has signed in: 202 while the app has to wait, and 200 once. Own extension.',
  cost: { fixed: 0 },
  scope: 'public',
  limitsAddresses: true,
  headers: TokenHeaders,
  parameters: TOKEN_PARAMETERS,
  response: CompletedSignIn,
  outcomes: { 202: PendingSignIn },
  errors: [401],
  handle: async ({ headers }, services) => {
    const token = requireToken(headers);
    const signIn = await viewSignIn(await services.signInRelay.take(token), token, services);
    return signIn.state === 'completed' ? signIn : new HandlerResponse(202, signIn as never);
  },
});
