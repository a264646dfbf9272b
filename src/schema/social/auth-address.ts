import Type from 'typebox';
import { EthAddress } from '../address.js';
import { Fid } from '../fid.js';
import { named } from '../named.js';
import { SignedKeyRequestSponsor } from './signer.js';

export const AuthAddressResponse = named(
  'AuthAddressResponse',
  Type.Object({
    address: EthAddress,
    auth_address_approval_url: Type.Optional(Type.String({ format: 'uri' })),
    fid: Type.Optional(Fid),
    status: Type.Enum(['pending_approval', 'approved', 'revoked'], { type: 'string' }),
  }),
);

export const RegisterAuthAddressDeveloperManagedSignedKeyReqBody = named(
  'RegisterAuthAddressDeveloperManagedSignedKeyReqBody',
  Type.Object({
    address: EthAddress,
    app_fid: Fid,
    deadline: Type.Integer({ description: 'Unix seconds; 24 hours ahead is advised.' }),
    redirect_url: Type.Optional(Type.String({ description: 'Only for native mobile apps.' })),
    signature: Type.String({
      pattern: '^0x[a-fA-F0-9]+$',
      description: "By the app's custody address over app_fid, deadline and the auth address padded to 32 bytes.",
    }),
    sponsor: Type.Optional(SignedKeyRequestSponsor),
  }),
);
