import { createPublicKey, verify as verifyWithNode } from 'node:crypto';
import { createRequire } from 'node:module';
import { bareHex } from '../hex.js';
import { ED25519_KEY_BYTES, ED25519_SIGNATURE_BYTES } from './limit.js';

/**
 * Hubs verify Ed25519 strictly (ed25519-dalek 2 `verify_strict`): S below the group order, neither R nor the key of
 * small order, the equation without cofactor, R compared byte for byte. Keys in a non-canonical encoding are rejected
 * here, too: dalek would decode them, but a private key is only known for those of small order.
 *
 * - libsodium up to 1.0.21 (sodium-native 5.1.0) does exactly that. Its later source multiplies by the cofactor and so
 * accepts signatures that hubs reject; `isCofactorless` excludes such a build.
 * - node:crypto (OpenSSL) lacks the checks of small order and of canonical keys, which `isStrict` adds.
 * - @noble/curves, the protocol package's default, multiplies by the cofactor and accepts a small-order R in both of
 * its modes, so it cannot be used.
 */
export type SignatureBackend = 'libsodium' | 'node:crypto';

export interface SignatureVerifier {
  readonly backend: SignatureBackend;
  /** @returns whether `signature` (64 bytes) is `publicKey`'s (32 bytes) over `message`; false for other lengths */
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

interface Sodium {
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

/** @param backend by default libsodium if its addon loads and follows the hubs' rules, else node:crypto */
export const signatureVerifier = (backend?: SignatureBackend): SignatureVerifier => {
  if (backend === 'node:crypto') return nodeVerifier;
  sodiumVerifier ??= loadSodium();
  if (backend === 'libsodium' && sodiumVerifier === 'unusable') throw new Error('libsodium cannot be used here');
  return sodiumVerifier === 'unusable' ? nodeVerifier : sodiumVerifier;
};

let sodiumVerifier: SignatureVerifier | 'unusable' | undefined;

const nodeVerifier: SignatureVerifier = {
  backend: 'node:crypto',
  verify(signature, message, publicKey) {
    if (signature.length !== ED25519_SIGNATURE_BYTES || publicKey.length !== ED25519_KEY_BYTES) return false;
    if (!isStrict(signature, publicKey)) return false;
    // A JWK imports eight times faster than DER.
    const x = Buffer.from(publicKey.buffer, publicKey.byteOffset, ED25519_KEY_BYTES).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verifyWithNode(null, message, key, signature);
  },
};

const loadSodium = (): SignatureVerifier | 'unusable' => {
  let sodium: Sodium;
  try {
    // The addon is native. Without a build for the platform the import fails, and node:crypto is used.
    sodium = createRequire(import.meta.url)('sodium-native') as Sodium;
  } catch {
    return 'unusable';
  }
  const verifier: SignatureVerifier = {
    backend: 'libsodium',
    verify(signature, message, publicKey) {
      if (signature.length !== ED25519_SIGNATURE_BYTES || publicKey.length !== ED25519_KEY_BYTES) return false;
      return sodium.crypto_sign_verify_detached(signature, message, publicKey);
    },
  };
  return isCofactorless(verifier) ? verifier : 'unusable';
};

/** Verifies a signature that is valid only with the cofactor (vector 4 of "Taming the many EdDSAs"). */
const isCofactorless = (verifier: SignatureVerifier): boolean => {
  const message = Buffer.from('e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c', 'hex');
  const publicKey = Buffer.from('cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d', 'hex');
  const signature = Buffer.from(
    '160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09',
    'hex',
  );
  return !verifier.verify(signature, message, publicKey);
};

/** The y coordinates of the eight points of small order, little-endian, with the sign bit cleared. */
const SMALL_ORDER_Y = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

/** The checks that OpenSSL lacks. A non-canonical R needs no check, because R is compared byte for byte. */
const isStrict = (signature: Uint8Array, publicKey: Uint8Array): boolean =>
  isCanonical(publicKey) && !isSmallOrder(publicKey) && !isSmallOrder(signature);

const isSmallOrder = (point: Uint8Array): boolean => {
  const y = Buffer.from(point.subarray(0, ED25519_KEY_BYTES));
  y[31] = (y[31] as number) & 0x7f;
  return SMALL_ORDER_Y.has(bareHex(y));
};

/** @returns whether the y coordinate is below the field's order, 2^255-19 */
const isCanonical = (point: Uint8Array): boolean => {
  if (((point[31] as number) & 0x7f) !== 0x7f || (point[0] as number) < 0xed) return true;
  return point.subarray(1, 31).some((byte) => byte !== 0xff);
};
