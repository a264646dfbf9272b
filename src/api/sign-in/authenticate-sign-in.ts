import { AuthenticateSignInReqBody, CompletedSignIn } from '../../schema/sign-in.js';
import { HandlerResponse, operation } from '../http/operation.js';
import { SIGNED_EXAMPLE, SIGNED_EXAMPLE_NOTE } from './signed-example.js';
import { requireToken, TOKEN_PARAMETERS, TokenHeaders } from './token-header.js';
import { viewSignIn } from './view-sign-in.js';

/** A message and a signature, with a profile. */
const MAX_BODY_BYTES = 65_536;

export const authenticateSignIn = operation({
  id: 'authenticate-sign-in',
  method: 'POST',
  path: '/v1/channel/authenticate',
  tags: ['Sign in'],
  title: 'Answer a sign-in',
  summary:
    "Sign an account in at the app that asked for it, with the wallet's signature; account and profile are those of the signer. Own extension.",
  cost: { fixed: 0 },
  scope: 'public',
  limitsAddresses: true,
  waitsOutside: true,
  maxBodyBytes: MAX_BODY_BYTES,
  headers: TokenHeaders,
  parameters: TOKEN_PARAMETERS,
  body: AuthenticateSignInReqBody,
  bodyExample: SIGNED_EXAMPLE,
  bodyExampleNote: SIGNED_EXAMPLE_NOTE,
  response: CompletedSignIn,
  outcomes: { 201: CompletedSignIn },
  errors: [400, 401, 409, 500],
  handle: async ({ headers, body }, services) => {
    const token = requireToken(headers);
    const request = await services.signInRelay.complete(token, body);
    return new HandlerResponse(201, (await viewSignIn(request, token, services)) as CompletedSignIn);
  },
});
