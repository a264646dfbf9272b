import Type from 'typebox';
import { Fid } from '../fid.js';
import { namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { Ed25519PublicKey, SharedSignerPermission, Signer, SignerUUID } from './signer.js';
import { User } from './user.js';

export const RegisterUserReqBody = namedObject('RegisterUserReqBody', {
  deadline: Type.Number(),
  fid: Type.Number(),
  fname: Type.Optional(Type.String()),
  metadata: Type.Optional(
    Type.Object({
      bio: Type.Optional(Type.String()),
      display_name: Type.Optional(Type.String()),
      location: Type.Optional(
        Type.Object({
          latitude: Type.Number({ format: 'double', maximum: 90, minimum: -90 }),
          longitude: Type.Number({ format: 'double', maximum: 180, minimum: -180 }),
        }),
      ),
      pfp_url: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
      username: Type.Optional(Type.String()),
      verified_accounts: Type.Optional(
        Type.Object({ github: Type.Optional(Type.String()), x: Type.Optional(Type.String()) }),
      ),
    }),
  ),
  requested_user_custody_address: Type.String(),
  signature: Type.String(),
  signer: Type.Optional(
    Type.Object({
      app_fid: Type.Number(),
      deadline: Type.Number(),
      signed_key_request_metadata_signature: Type.String(),
      uuid: Type.String({ format: 'uuid' }),
    }),
  ),
});

export const RegisterUserResponse = namedObject('RegisterUserResponse', {
  message: Type.String(),
  signer: Type.Optional(Signer),
  signers: Type.Array(
    Type.Object({
      fid: Type.Optional(Fid),
      object: Type.Optional(stringEnum(['signer'])),
      permissions: Type.Optional(Type.Array(SharedSignerPermission)),
      public_key: Ed25519PublicKey,
      signer_approval_url: Type.Optional(Type.String()),
      status: stringEnum(['generated', 'pending_approval', 'approved', 'revoked']),
      uuid: SignerUUID,
    }),
  ),
  success: Type.Literal(true),
  user: Type.Optional(User),
});
