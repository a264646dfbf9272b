import Type, { type Static } from 'typebox';
import { Fid } from '../fid.js';
import { named } from '../named.js';
import { SIGNER_PERMISSIONS } from './signer-permission.js';

export const SignerUUID = named(
  'SignerUUID',
  Type.String({ description: 'A signer of the calling app, as `POST /v2/social/signer/` gave it.' }),
);

export const Ed25519PublicKey = named('Ed25519PublicKey', Type.String({ pattern: '^0x[a-fA-F0-9]{64}$' }));

export const SharedSignerPermission = named(
  'SharedSignerPermission',
  Type.Enum([...SIGNER_PERMISSIONS], { type: 'string' }),
);
export type SharedSignerPermission = Static<typeof SharedSignerPermission>;

export const Signer = named(
  'Signer',
  Type.Object({
    fid: Type.Optional(Fid),
    object: Type.Optional(Type.Enum(['signer'], { type: 'string' })),
    permissions: Type.Optional(Type.Array(SharedSignerPermission)),
    public_key: Ed25519PublicKey,
    signer_approval_url: Type.Optional(Type.String()),
    signer_uuid: SignerUUID,
    status: Type.Enum(['generated', 'pending_approval', 'approved', 'revoked'], { type: 'string' }),
  }),
);
export type Signer = Static<typeof Signer>;

export const SignerListResponse = named('SignerListResponse', Type.Object({ signers: Type.Array(Signer) }));

export const SignedKeyRequestSponsor = named(
  'SignedKeyRequestSponsor',
  Type.Object({
    fid: Type.Optional(Fid),
    signature: Type.Optional(Type.String({ description: "By the sponsor over the app's own signature." })),
    sponsored_by_service: Type.Optional(
      Type.Boolean({
        description: 'True lets the service pay and bill the caller in credits; fid and signature are then ignored.',
      }),
    ),
  }),
);
export type SignedKeyRequestSponsor = Static<typeof SignedKeyRequestSponsor>;

export const RegisterSignerKeyReqBody = named(
  'RegisterSignerKeyReqBody',
  Type.Object({
    app_fid: Fid,
    deadline: Type.Integer({ description: 'Unix seconds; 24 hours ahead is advised.' }),
    redirect_url: Type.Optional(Type.String({ description: 'Only for native mobile apps.' })),
    signature: Type.String({ description: "By the app's custody address over app_fid, deadline and the public key." }),
    signer_uuid: SignerUUID,
    sponsor: Type.Optional(SignedKeyRequestSponsor),
  }),
);

export const DeveloperManagedSigner = named(
  'DeveloperManagedSigner',
  Type.Object({
    fid: Type.Optional(Fid),
    public_key: Ed25519PublicKey,
    signer_approval_url: Type.Optional(Type.String()),
    status: Type.Enum(['pending_approval', 'approved', 'revoked'], { type: 'string' }),
  }),
);
export type DeveloperManagedSigner = Static<typeof DeveloperManagedSigner>;

export const RegisterDeveloperManagedSignedKeyReqBody = named(
  'RegisterDeveloperManagedSignedKeyReqBody',
  Type.Object({
    app_fid: Fid,
    deadline: Type.Integer({ description: 'Unix seconds; 24 hours ahead is advised.' }),
    public_key: Ed25519PublicKey,
    redirect_url: Type.Optional(Type.String({ description: 'Only for native mobile apps.' })),
    signature: Type.String({ description: "By the app's custody address over app_fid, deadline and the public key." }),
    sponsor: Type.Optional(SignedKeyRequestSponsor),
  }),
);

export const AuthorizationUrlResponse = named(
  'AuthorizationUrlResponse',
  Type.Object({ authorization_url: Type.String({ format: 'uri' }) }),
);
