import Type from 'typebox';
import { EthAddress } from '../address.js';
import { Fid } from '../fid.js';
import { namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { SignedKeyRequestSponsor } from './signer.js';

export const AuthAddressResponse = namedObject('AuthAddressResponse', {
  address: EthAddress,
  auth_address_approval_url: Type.Optional(Type.String({ format: 'uri' })),
  fid: Type.Optional(Fid),
  status: stringEnum(['pending_approval', 'approved', 'revoked']),
});

export const RegisterAuthAddressDeveloperManagedSignedKeyReqBody = namedObject(
  'RegisterAuthAddressDeveloperManagedSignedKeyReqBody',
  {
    address: EthAddress,
    app_fid: Fid,
    deadline: Type.Integer({ description: 'Unix seconds; 24 hours ahead is advised.' }),
    redirect_url: Type.Optional(Type.String({ description: 'Only for native mobile apps.' })),
    signature: Type.String({
      pattern: '^0x[a-fA-F0-9]+$',
      description: "By the app's custody address over app_fid, deadline and the auth address padded to 32 bytes.",
    }),
    sponsor: Type.Optional(SignedKeyRequestSponsor),
  },
);
