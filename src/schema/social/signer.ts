import Type, { type Static } from 'typebox';
import { Fid } from '../fid.js';
import { named, namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { SIGNER_PERMISSIONS } from './signer-permission.js';

export const SignerUUID = named(
  'SignerUUID',
  Type.String({ description: 'A signer of the calling app, as `POST /v2/social/signer/` gave it.' }),
);

export const Ed25519PublicKey = named('Ed25519PublicKey', Type.String({ pattern: '^0x[a-fA-F0-9]{64}$' }));

export const SharedSignerPermission = named('SharedSignerPermission', stringEnum([...SIGNER_PERMISSIONS]));
export type SharedSignerPermission = Static<typeof SharedSignerPermission>;

export const Signer = namedObject('Signer', {
  fid: Type.Optional(Fid),
  object: Type.Optional(stringEnum(['signer'])),
  permissions: Type.Optional(Type.Array(SharedSignerPermission)),
  public_key: Ed25519PublicKey,
  signer_approval_url: Type.Optional(Type.String()),
  signer_uuid: SignerUUID,
  status: stringEnum(['generated', 'pending_approval', 'approved', 'revoked']),
});
export type Signer = Static<typeof Signer>;

export const SignerListResponse = namedObject('SignerListResponse', { signers: Type.Array(Signer) });

export const SignedKeyRequestSponsor = namedObject('SignedKeyRequestSponsor', {
  fid: Type.Optional(Fid),
  signature: Type.Optional(Type.String({ description: "By the sponsor over the app's own signature." })),
  sponsored_by_service: Type.Optional(
    Type.Boolean({
      description: 'True lets the service pay and bill the caller in credits; fid and signature are then ignored.',
    }),
  ),
});
export type SignedKeyRequestSponsor = Static<typeof SignedKeyRequestSponsor>;

export const RegisterSignerKeyReqBody = namedObject('RegisterSignerKeyReqBody', {
  app_fid: Fid,
  deadline: Type.Integer({ description: 'Unix seconds; 24 hours ahead is advised.' }),
  redirect_url: Type.Optional(Type.String({ description: 'Only for native mobile apps.' })),
  signature: Type.String({ description: "By the app's custody address over app_fid, deadline and the public key." }),
  signer_uuid: SignerUUID,
  sponsor: Type.Optional(SignedKeyRequestSponsor),
});

export const DeveloperManagedSigner = namedObject('DeveloperManagedSigner', {
  fid: Type.Optional(Fid),
  public_key: Ed25519PublicKey,
  signer_approval_url: Type.Optional(Type.String()),
  status: stringEnum(['pending_approval', 'approved', 'revoked']),
});
export type DeveloperManagedSigner = Static<typeof DeveloperManagedSigner>;

export const RegisterDeveloperManagedSignedKeyReqBody = namedObject('RegisterDeveloperManagedSignedKeyReqBody', {
  app_fid: Fid,
  deadline: Type.Integer({ description: 'Unix seconds; 24 hours ahead is advised.' }),
  public_key: Ed25519PublicKey,
  redirect_url: Type.Optional(Type.String({ description: 'Only for native mobile apps.' })),
  signature: Type.String({ description: "By the app's custody address over app_fid, deadline and the public key." }),
  sponsor: Type.Optional(SignedKeyRequestSponsor),
});

export const AuthorizationUrlResponse = namedObject('AuthorizationUrlResponse', {
  authorization_url: Type.String({ format: 'uri' }),
});

/** Signers of the calling app, for the console. */
export const AppSignersResponse = namedObject('AppSignersResponse', {
  signers: Type.Array(Signer, { description: 'Newest first.' }),
  is_local: Type.Boolean({ description: 'Signers can be approved here, without a wallet.' }),
});

export const ApproveSignerReqBody = namedObject('ApproveSignerReqBody', {
  signer_uuid: SignerUUID,
  fid: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The account that approves it.' }),
});
