import { AppError } from '../../error.js';
import { VerifySiwfReqBody, VerifySiwfResponse } from '../../schema/sign-in.js';
import { requireServedDomain } from '../../sign-in/domain.js';
import { operation } from '../http/operation.js';
import { SIGNED_EXAMPLE, SIGNED_EXAMPLE_NOTE } from './signed-example.js';

/** A message and a signature. */
const MAX_BODY_BYTES = 65_536;

export const verifySiwf = operation({
  id: 'verify-siwf',
  method: 'POST',
  path: '/verify-siwf',
  tags: ['Sign in'],
  title: 'Sign in with Quick Auth',
  summary:
    'Verify a message of Sign In With Farcaster and get a token (JWT) for its account, valid for an hour. Own extension.',
  cost: { fixed: 0 },
  scope: 'public',
  limitsAddresses: true,
  waitsOutside: true,
  maxBodyBytes: MAX_BODY_BYTES,
  body: VerifySiwfReqBody,
  bodyExample: { domain: 'app.example', ...SIGNED_EXAMPLE },
  bodyExampleNote: SIGNED_EXAMPLE_NOTE,
  response: VerifySiwfResponse,
  errors: [400, 404, 500],
  handle: async ({ body: { domain, ...signed } }, { signInDomains, quickAuth }) => {
    requireServedDomain(signInDomains, domain);
    try {
      return { valid: true, token: await quickAuth.signIn(signed, domain) };
    } catch (error) {
      // Its clients read what is wrong from a successful response.
      if (error instanceof AppError && error.kind === 'invalid') return { valid: false, message: error.message };
      throw error;
    }
  },
});
