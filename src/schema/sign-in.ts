import Type, { type Static } from 'typebox';
import { Fid } from './fid.js';
import { namedObject } from './named.js';
import { stringEnum } from './string-enum.js';

/**
 * Shapes of the sign-in services, with the names that their clients use: the relay of Sign In With Farcaster
 * (@farcaster/auth-client 0.7.1) and Quick Auth (@farcaster/quick-auth 0.0.8).
 */

/** Visible ASCII without what ends a line of the message (EIP-4361). */
const uriText = (description: string) =>
  Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9+.-]*:[\\x21-\\x7e]+$', maxLength: 2048, description });
const instant = (description: string) => Type.String({ format: 'date-time', description });

const Domain = (description: string) =>
  Type.String({ pattern: '^[a-zA-Z0-9.-]+(:[0-9]{1,5})?$', maxLength: 260, description });

const PARAMETERS = {
  siweUri: uriText('URI of the sign-in: the line `URI` of the message.'),
  domain: Domain('Domain that asks for the sign-in, with the port if it is not that of https.'),
  nonce: Type.Optional(
    Type.String({ pattern: '^[a-zA-Z0-9]{8,128}$', description: 'Of the app; without it, the service makes one.' }),
  ),
  notBefore: Type.Optional(instant('When the sign-in begins to be valid.')),
  expirationTime: Type.Optional(instant('When it ends to be valid.')),
  requestId: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]*$', maxLength: 256, description: 'Of the app.' })),
  redirectUrl: Type.Optional(uriText('Where the person continues after signing in.')),
};

export const SignInChannelReqBody = namedObject('SignInChannelReqBody', {
  ...PARAMETERS,
  acceptAuthAddress: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether an auth address may sign, not only the custody address.' }),
  ),
});
export type SignInChannelReqBody = Static<typeof SignInChannelReqBody>;

export const SignInChannelResponse = namedObject('SignInChannelResponse', {
  channelToken: Type.String({ description: 'Credential of the app: send it as `Authorization: Bearer`.' }),
  url: Type.String({ description: 'Page of the request, for a link or a QR code.' }),
  connectUri: Type.String({ description: 'The same, under its older name.' }),
  nonce: Type.String(),
});

/** Of a request in both states. */
const STATUS = {
  nonce: Type.String(),
  url: Type.String(),
  signatureParams: Type.Object({
    ...PARAMETERS,
    acceptAuthAddress: Type.Optional(Type.Boolean()),
  }),
  metadata: Type.Object({ ip: Type.String(), userAgent: Type.String() }, { description: 'Who asked for the sign-in.' }),
  acceptAuthAddress: Type.Boolean(),
};

export const PendingSignIn = namedObject('PendingSignIn', { state: stringEnum(['pending']), ...STATUS });
export type PendingSignIn = Static<typeof PendingSignIn>;

export const CompletedSignIn = namedObject('CompletedSignIn', {
  state: stringEnum(['completed']),
  ...STATUS,
  message: Type.String({ description: 'The signed message (EIP-4361).' }),
  signature: Type.String(),
  authMethod: stringEnum(['custody', 'authAddress']),
  fid: Fid,
  username: Type.Optional(Type.String()),
  bio: Type.Optional(Type.String()),
  displayName: Type.Optional(Type.String()),
  pfpUrl: Type.Optional(Type.String()),
  custody: Type.Optional(Type.String()),
  verifications: Type.Array(Type.String()),
});
export type CompletedSignIn = Static<typeof CompletedSignIn>;

const SIGNATURE_TEXT = 'Over the message (EIP-191): 65 bytes, or more by a contract wallet.';
const Signature = Type.String({ pattern: '^0x([0-9a-fA-F]{2}){65,8192}$', description: SIGNATURE_TEXT });
const Message = Type.String({ description: 'Of Sign In With Farcaster (FIP-11).' });

export const AuthenticateSignInReqBody = namedObject('AuthenticateSignInReqBody', {
  message: Message,
  signature: Signature,
  authMethod: Type.Optional(stringEnum(['custody', 'authAddress'])),
  fid: Type.Optional(Fid),
  username: Type.Optional(Type.String()),
  bio: Type.Optional(Type.String()),
  displayName: Type.Optional(Type.String()),
  pfpUrl: Type.Optional(Type.String()),
});

export const QuickAuthNonce = namedObject('QuickAuthNonce', { nonce: Type.String() });

export const VerifySiwfReqBody = namedObject('VerifySiwfReqBody', {
  domain: Domain('Domain of the app: that of the message, and the audience of the token.'),
  message: Message,
  signature: Type.String({ description: SIGNATURE_TEXT }),
  acceptAuthAddress: Type.Optional(
    Type.Boolean({ description: 'Accepted, and without effect: auth addresses may sign.' }),
  ),
});

export const VerifySiwfResponse = namedObject('VerifySiwfResponse', {
  valid: Type.Boolean(),
  token: Type.Optional(Type.String({ description: 'If valid.' })),
  message: Type.Optional(Type.String({ description: 'What was wrong, else.' })),
});

export const QuickAuthClaims = namedObject('QuickAuthClaims', {
  iss: Type.String({ description: 'Origin of this service.' }),
  aud: Type.String({ description: 'Domain of the app.' }),
  sub: Fid,
  iat: Type.Integer({ description: 'Unix seconds.' }),
  exp: Type.Integer({ description: 'Unix seconds.' }),
});

export const QuickAuthError = namedObject('QuickAuthError', {
  error: stringEnum(['invalid_token', 'invalid_params']),
  error_message: Type.String(),
});

export const QuickAuthKeySet = namedObject('QuickAuthKeySet', {
  keys: Type.Array(
    Type.Object({
      kty: Type.String(),
      crv: Type.String(),
      x: Type.String(),
      kid: Type.String(),
      alg: Type.String(),
      use: Type.String(),
    }),
  ),
});
