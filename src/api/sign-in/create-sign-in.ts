import Type from 'typebox';
import { SignInChannelReqBody, SignInChannelResponse } from '../../schema/sign-in.js';
import { requireServedDomain } from '../../sign-in/domain.js';
import { HandlerResponse, operation } from '../http/operation.js';
import { signInUrl } from './sign-in-url.js';

/** Bodies have a few short members. */
const MAX_BODY_BYTES = 16_384;

export const createSignIn = operation({
  id: 'create-sign-in',
  method: 'POST',
  path: '/v1/channel',
  tags: ['Sign in'],
  title: 'Ask for a sign-in',
  summary:
    'Ask somebody to sign in at an app with Farcaster (FIP-11); the relay that sign-in libraries call. Own extension.',
  cost: { fixed: 0 },
  scope: 'public',
  limitsAddresses: true,
  maxBodyBytes: MAX_BODY_BYTES,
  headers: Type.Object({ 'user-agent': Type.Optional(Type.String()), origin: Type.Optional(Type.String()) }),
  parameters: {
    'user-agent': { description: 'Shown to the person who signs in.' },
    origin: { description: 'Of the page that asks; shown to the person who signs in.' },
  },
  body: SignInChannelReqBody,
  bodyExample: { siweUri: 'https://app.example/login', domain: 'app.example' },
  response: SignInChannelResponse,
  outcomes: { 201: SignInChannelResponse },
  errors: [400, 404],
  handle: async ({ body, headers, clientIp }, { signInDomains, signInRelay, publicUrl }) => {
    requireServedDomain(signInDomains, body.domain);
    const asker = { ip: clientIp, userAgent: headers['user-agent'], origin: headers.origin };
    const { token, nonce } = await signInRelay.open(body, asker);
    const url = signInUrl(publicUrl, token);
    return new HandlerResponse(201, { channelToken: token, url, connectUri: url, nonce });
  },
});
