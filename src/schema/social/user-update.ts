import Type from 'typebox';
import { EthAddress, SolAddress } from '../address.js';
import { namedObject } from '../named.js';
import { SignerUUID } from './signer.js';

export const UpdateUserReqBody = namedObject('UpdateUserReqBody', {
  banner: Type.Optional(Type.String({ description: 'Needs a pro subscription.' })),
  bio: Type.Optional(Type.String()),
  display_name: Type.Optional(Type.String()),
  location: Type.Optional(
    Type.Object({
      latitude: Type.Number({ format: 'double', maximum: 90, minimum: -90 }),
      longitude: Type.Number({ format: 'double', maximum: 180, minimum: -180 }),
    }),
  ),
  pfp_url: Type.Optional(Type.String()),
  primary_eth_address: Type.Optional(EthAddress),
  primary_sol_address: Type.Optional(SolAddress),
  signer_uuid: SignerUUID,
  url: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  verified_accounts: Type.Optional(
    Type.Object({ github: Type.Optional(Type.String()), x: Type.Optional(Type.String()) }),
  ),
});

export const UpdateUserPartialResponse = namedObject('UpdateUserPartialResponse', {
  errors: Type.Array(Type.Object({ message: Type.String() })),
  success: Type.Boolean(),
});
