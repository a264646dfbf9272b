import Type from 'typebox';
import { QuickAuthClaims, QuickAuthError } from '../../schema/sign-in.js';
import { HandlerResponse, operation } from '../http/operation.js';

const MAX_TOKEN_LENGTH = 4096;

const refusal = (error: 'invalid_token' | 'invalid_params', message: string) =>
  new HandlerResponse(400, { error, error_message: message } as never);

export const verifyJwt = operation({
  id: 'verify-jwt',
  path: '/verify-jwt',
  tags: ['Sign in'],
  title: 'Verify a token of Quick Auth',
  summary: 'Read the claims of a token that is valid now for a domain. Own extension.',
  cost: { fixed: 0 },
  scope: 'public',
  limitsAddresses: true,
  query: Type.Object({ token: Type.Optional(Type.String()), domain: Type.Optional(Type.String()) }),
  parameters: {
    token: { description: 'As `POST /verify-siwf` gave it.' },
    domain: { description: 'Domain of the app for which it must have been issued.' },
  },
  response: QuickAuthClaims,
  outcomes: { 400: QuickAuthError },
  errors: [400],
  handle: async ({ query: { token = '', domain = '' } }, { quickAuth }) => {
    if (token === '' || domain === '') return refusal('invalid_params', 'token and domain are required.');
    if (token.length > MAX_TOKEN_LENGTH) return refusal('invalid_token', 'The token is none of this service.');
    try {
      return await quickAuth.verify(token, domain);
    } catch (error) {
      const { errors } = await import('jose');
      if (error instanceof errors.JOSEError) return refusal('invalid_token', error.message);
      throw error;
    }
  },
});
