import {
  ID_GATEWAY_EIP_712_TYPES,
  ID_REGISTRY_EIP_712_TYPES,
  KEY_GATEWAY_EIP_712_TYPES,
  SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES,
} from '@farcaster/core';
import { type Address, type Hex, hashTypedData } from 'viem';
import { isSignedByAddress } from '../address-signature.js';
import type { Networks } from '../network.js';
import { REGISTRY_NETWORK } from './contract.js';

/**
 * Hashes that accounts sign for the contracts (EIP-712). The types are those of @farcaster/core; every domain has chain
 * id 10. Deadlines are Unix seconds.
 */

/** The consent of an address to get an account (IdGateway.registerFor, Bundler.register). */
export const registerHash = (message: {
  readonly to: Address;
  readonly recovery: Address;
  /** `IdGateway.nonces(to)` */
  readonly nonce: bigint;
  readonly deadline: bigint;
}): Hex => hashTypedData({ ...ID_GATEWAY_EIP_712_TYPES, primaryType: 'Register', message });

/** The consent to a transfer, signed by the present custody address and by the next one (IdRegistry.transferFor). */
export const transferHash = (message: {
  readonly fid: bigint;
  readonly to: Address;
  /** `IdRegistry.nonces` of the address that signs */
  readonly nonce: bigint;
  readonly deadline: bigint;
}): Hex => hashTypedData({ ...ID_REGISTRY_EIP_712_TYPES, primaryType: 'Transfer', message });

/** The consent of a custody address to a key of its account (KeyGateway.addFor, Bundler.register). */
export const addKeyHash = (message: {
  readonly owner: Address;
  readonly keyType: number;
  /** 32 bytes */
  readonly key: Hex;
  readonly metadataType: number;
  readonly metadata: Hex;
  /** `KeyGateway.nonces(owner)` */
  readonly nonce: bigint;
  readonly deadline: bigint;
}): Hex => hashTypedData({ ...KEY_GATEWAY_EIP_712_TYPES, primaryType: 'Add', message });

/** The request of an app's account that accounts add a key. */
export const keyRequestHash = (message: {
  readonly requestFid: bigint;
  /** 32 bytes */
  readonly key: Hex;
  readonly deadline: bigint;
}): Hex => hashTypedData({ ...SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES, primaryType: 'SignedKeyRequest', message });

/**
 * @param hash 32 bytes
 * @returns whether the address signed the hash, with its key or as a contract wallet (ERC-1271)
 * @throws AppError if it is not the signature of a key and the network does not respond
 */
export const isSignedBy = async (
  networks: Networks,
  address: Address,
  { hash, signature }: { readonly hash: Hex; readonly signature: Hex },
): Promise<boolean> => (await isSignedByAddress(networks, [REGISTRY_NETWORK], { address, hash, signature })) === true;
