import { randomFillSync } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1';
import type { TransactionSerializable } from 'viem';
import { type Address, bytesToHex, type Hex, hexToBytes, keccak256, numberToHex, serializeTransaction } from 'viem';
import { publicKeyToAddress } from 'viem/utils';

const KEY_BYTES = 32;

/** @returns whether these bytes are a private key of secp256k1: 32 of them, not 0, below the order of the curve. */
export const isKey = (bytes: Uint8Array): boolean =>
  bytes.length === KEY_BYTES && secp256k1.utils.isValidPrivateKey(bytes);

/** @returns a random key in memory of its own, not of Node's shared pool; who has it wipes it with `fill(0)`. */
export const drawKey = (): Buffer => {
  const key = Buffer.alloc(KEY_BYTES);
  // Of 2^256 values all but 2^128 are keys.
  do randomFillSync(key);
  while (!isKey(key));
  return key;
};

/** @returns the account of a private key, with the checksum of ERC-55. */
export const addressOfKey = (key: Uint8Array): Address =>
  publicKeyToAddress(bytesToHex(secp256k1.getPublicKey(key, false)));

/** A transaction as it is sent. */
export interface SignedTransaction {
  readonly hash: Hex;
  readonly raw: Uint8Array;
}

/**
 * Signs a transaction (EIP-1559 or, for a chain without base fee, EIP-155).
 * @param key 32 bytes; the library makes numbers of it that cannot be wiped, but no text
 */
export const signTransaction = (key: Uint8Array, transaction: TransactionSerializable): SignedTransaction => {
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
