import Type, { type Static } from 'typebox';
import { EthAddress } from '../address.js';
import { named, namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { SignerUUID } from './signer.js';
import { UserDehydrated } from './user-dehydrated.js';

export const Protocol = named('Protocol', stringEnum(['evm', 'solana']));

export const Verification = namedObject('Verification', {
  address: Type.String(),
  app: Type.Optional(UserDehydrated),
  object: stringEnum(['verification']),
  protocol: Protocol,
  verified_at: Type.String(),
});
export type Verification = Static<typeof Verification>;

export const VerificationsResponse = namedObject('VerificationsResponse', { verifications: Type.Array(Verification) });

export const VerificationChainId = named(
  'VerificationChainId',
  Type.Enum([0, 1, 10], {
    type: 'integer',
    format: 'int32',
    default: 0,
    description: '0 for an account, 1 or 10 for a contract.',
  }),
);

export const VerificationType = named(
  'VerificationType',
  Type.Enum([0, 1], { type: 'integer', format: 'int32', default: 0, description: '0 account, 1 contract.' }),
);

export const AddVerificationReqBody = namedObject('AddVerificationReqBody', {
  address: EthAddress,
  block_hash: Type.String(),
  chain_id: Type.Optional(VerificationChainId),
  eth_signature: Type.String(),
  signer_uuid: SignerUUID,
  verification_type: Type.Optional(VerificationType),
});

export const RemoveVerificationReqBody = namedObject('RemoveVerificationReqBody', {
  address: EthAddress,
  block_hash: Type.String(),
  eth_signature: Type.String(),
  signer_uuid: SignerUUID,
});
