import { secp256k1 } from '@noble/curves/secp256k1';
import { concatHex, type Hex, hexToBytes, numberToHex } from 'viem';

/**
 * Signs a hash with a private key of this service.
 * @param key 32 bytes; the library converts it to numbers, which cannot be wiped, but not to text
 * @param hash 32 bytes
 * @returns 65 bytes: r, s in the lower half, and v 27 or 28
 */
export const signHash = (key: Uint8Array, hash: Hex): Hex => {
  const { r, s, recovery } = secp256k1.sign(hexToBytes(hash), key, { lowS: true });
  return concatHex([
    numberToHex(r, { size: 32 }),
    numberToHex(s, { size: 32 }),
    numberToHex(27 + recovery, { size: 1 }),
  ]);
};
