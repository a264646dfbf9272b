import { randomFillSync } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1';
import type { TransactionSerializable } from 'viem';
import { type Address, bytesToHex, type Hex, hexToBytes, keccak256, numberToHex, serializeTransaction } from 'viem';
import { publicKeyToAddress } from 'viem/utils';

const KEY_BYTES = 32;

/** @returns whether the bytes are a private key of secp256k1: 32 bytes, not 0, below the order of the curve */
export const isKey = (bytes: Uint8Array): boolean =>
  bytes.length === KEY_BYTES && secp256k1.utils.isValidPrivateKey(bytes);

/**
 * @returns a random key in its own memory, outside of Node's shared pool, so that the caller can wipe it with `fill(0)`
 */
export const generateKey = (): Buffer => {
  const key = Buffer.alloc(KEY_BYTES);
  // All but 2^128 of 2^256 values are valid keys.
  do randomFillSync(key);
  while (!isKey(key));
  return key;
};

/** @returns the account of a private key, with checksum (ERC-55) */
export const addressOfKey = (key: Uint8Array): Address =>
  publicKeyToAddress(bytesToHex(secp256k1.getPublicKey(key, false)));

export interface SerializedTransaction {
  readonly hash: Hex;
  readonly raw: Uint8Array;
}

/**
 * Signs a transaction (EIP-1559, or EIP-155 on a chain without base fee).
 * @param key 32 bytes; the library converts it to numbers, which cannot be wiped, but not to text
 */
export const signTransaction = (key: Uint8Array, transaction: TransactionSerializable): SerializedTransaction => {
  const digest = hexToBytes(keccak256(serializeTransaction(transaction)));
  const { r, s, recovery } = secp256k1.sign(digest, key);
  const signature = {
    r: numberToHex(r, { size: 32 }),
    s: numberToHex(s, { size: 32 }),
    yParity: recovery,
    v: BigInt(27 + recovery),
  };
  const raw = serializeTransaction(transaction, signature);
  return { hash: keccak256(raw), raw: hexToBytes(raw) };
};
