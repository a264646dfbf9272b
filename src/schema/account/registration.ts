import Type, { type Static } from 'typebox';
import { EthAddress } from '../address.js';
import { Fid } from '../fid.js';
import { namedObject } from '../named.js';
import { PrefixedHexString } from '../onchain/prefixed-hex.js';
import { Ed25519PublicKey, SharedSignerPermission, Signer, SignerUUID } from '../social/signer.js';
import { User } from '../social/user.js';
import { stringEnum } from '../string-enum.js';

export const UserFIDResponse = namedObject('UserFIDResponse', { fid: Fid });

const Latitude = () => Type.Number({ format: 'double', minimum: -90, maximum: 90 });
const Longitude = () => Type.Number({ format: 'double', minimum: -180, maximum: 180 });

export const RegisterUserReqBody = namedObject('RegisterUserReqBody', {
  deadline: Type.Number({ description: 'Of the signature, in Unix seconds; at least five minutes ahead.' }),
  fid: Type.Number({ description: 'The account that was reserved for the app.' }),
  fname: Type.Optional(Type.String({ description: 'A name to register for the account.' })),
  metadata: Type.Optional(
    Type.Object({
      bio: Type.Optional(Type.String()),
      display_name: Type.Optional(Type.String()),
      location: Type.Optional(Type.Object({ latitude: Latitude(), longitude: Longitude() })),
      pfp_url: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
      username: Type.Optional(Type.String()),
      verified_accounts: Type.Optional(
        Type.Object({ github: Type.Optional(Type.String()), x: Type.Optional(Type.String()) }),
      ),
    }),
  ),
  requested_user_custody_address: Type.String({ description: 'Address of the person, which gets the account.' }),
  signature: Type.String({
    description:
      'By that address over Transfer(fid, to, nonce, deadline) of the IdRegistry contract (EIP-712, chain id 10).',
  }),
  signer: Type.Optional(
    Type.Object({
      app_fid: Type.Number({ description: 'The account whose app the signer is for.' }),
      deadline: Type.Number({ description: 'Of the signature, in Unix seconds.' }),
      signed_key_request_metadata_signature: Type.String({
        description: 'By the custody address of app_fid over SignedKeyRequest(requestFid, key, deadline).',
      }),
      uuid: Type.String({ format: 'uuid', description: 'A signer of the calling app that no account has yet.' }),
    }),
  ),
});
export type RegisterUserReqBody = Static<typeof RegisterUserReqBody>;

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

export const RegisterUserOnChainReqBody = namedObject('RegisterUserOnChainReqBody', {
  idem: Type.Optional(
    Type.String({ description: 'Idempotency key; pre-registration calls must be idempotent when it is used.' }),
  ),
  pre_registration_calls: Type.Optional(
    Type.Array(
      Type.Object({
        allow_failure: Type.Optional(
          Type.Boolean({ default: false, description: 'False makes the registration fail with this call.' }),
        ),
        data: Type.String({ pattern: '^0x[a-fA-F0-9]+$' }),
        target: EthAddress,
        value: Type.Optional(Type.Integer({ default: 0, minimum: 0, description: 'Wei.' })),
      }),
    ),
  ),
  registration: Type.Object({
    custody_address: EthAddress,
    deadline: Type.Integer({ minimum: 0, description: 'Of the signature, in Unix seconds.' }),
    recovery_address: EthAddress,
    signature: PrefixedHexString,
  }),
  signers: Type.Optional(
    Type.Array(
      Type.Object({
        deadline: Type.Integer({ minimum: 0, description: 'Of the signature, in Unix seconds.' }),
        key_type: Type.Optional(Type.Integer({ default: 1, minimum: 1 })),
        metadata: PrefixedHexString,
        metadata_type: Type.Optional(Type.Integer({ default: 1, minimum: 1 })),
        public_key: Ed25519PublicKey,
        signature: PrefixedHexString,
      }),
    ),
  ),
  storage_units: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Units of storage beside the one that every registration contains.' }),
  ),
});
export type RegisterUserOnChainReqBody = Static<typeof RegisterUserOnChainReqBody>;

export const RegisterUserOnChainResponse = namedObject('RegisterUserOnChainResponse', {
  message: Type.Optional(Type.String()),
  transaction_hash: Type.Optional(Type.String()),
  user: Type.Optional(User),
});
export type RegisterUserOnChainResponse = Static<typeof RegisterUserOnChainResponse>;
