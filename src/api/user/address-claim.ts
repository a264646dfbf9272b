import type { Static } from 'typebox';
import { invalidField } from '../../error.js';
import { BLOCK_HASH_BYTES, ETH_SIGNATURE_BYTES, MAX_CONTRACT_SIGNATURE_BYTES } from '../../protocol/limit.js';
import type { AddVerificationReqBody, RemoveVerificationReqBody } from '../../schema/social/verification.js';
import type { AddressClaim } from '../../write/verification.js';

type Body = Static<typeof AddVerificationReqBody> | Static<typeof RemoveVerificationReqBody>;

const HEX = /^0x(?:[0-9a-fA-F]{2})+$/;

const readBytes = (property: keyof Body, text: string, least: number, most: number): Buffer => {
  const bytes = HEX.test(text) ? (text.length - 2) / 2 : 0;
  if (bytes >= least && bytes <= most) return Buffer.from(text.slice(2), 'hex');
  const size = least === most ? `${least} bytes` : `${least} to ${most} bytes`;
  throw invalidField(property, `${property} must be 0x and the hex digits of ${size}`);
};

/**
 * @returns the claim of an address; its signature is checked later, when the message is verified
 * @throws AppError 'invalid' with the wrong member as property
 */
export const readAddressClaim = (body: Body): AddressClaim => {
  const type = 'verification_type' in body ? (body.verification_type ?? 0) : 0;
  const chainId = 'chain_id' in body ? (body.chain_id ?? 0) : 0;
  if (type === 1 && chainId === 0) {
    throw invalidField(
      'chain_id',
      'chain_id must be 1 or 10, where the contract of the address is (verification_type 1)',
    );
  }
  if (type === 0 && chainId !== 0) {
    throw invalidField('chain_id', 'chain_id must be 0 for an account; verification_type 1 says that it is a contract');
  }
  const signatureBytes = type === 0 ? ETH_SIGNATURE_BYTES : MAX_CONTRACT_SIGNATURE_BYTES;
  return {
    address: Buffer.from(body.address.slice(2), 'hex'),
    blockHash: readBytes('block_hash', body.block_hash, BLOCK_HASH_BYTES, BLOCK_HASH_BYTES),
    signature: readBytes('eth_signature', body.eth_signature, type === 0 ? signatureBytes : 1, signatureBytes),
    type,
    chainId,
  };
};
