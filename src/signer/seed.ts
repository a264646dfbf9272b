import { createPrivateKey, createPublicKey, randomFillSync, sign } from 'node:crypto';
import { createRequire } from 'node:module';
import { ED25519_KEY_BYTES, ED25519_SIGNATURE_BYTES } from '../protocol/limit.js';

interface Sodium {
  crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void;
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
  sodium_malloc(bytes: number): Buffer;
  sodium_free(buffer: Buffer): void;
}

const SEED_BYTES = 32;
const SECRET_KEY_BYTES = 64;

/** Ed25519 with a 32-byte seed (RFC 8032), with as few copies of the seed as the library allows. */
export interface SeedSigner {
  /** @returns the 32-byte public key. */
  publicKey(seed: Uint8Array): Uint8Array;
  /** @returns the 64-byte signature. */
  sign(seed: Uint8Array, message: Uint8Array): Uint8Array;
}

/**
 * @returns a random seed in its own memory, outside of Node's shared pool, so that the caller can wipe it with
 *   `fill(0)`
 */
export const generateSeed = (): Buffer => randomFillSync(Buffer.alloc(SEED_BYTES));

const withSodium = (sodium: Sodium): SeedSigner => {
  /** The expanded key is in locked memory, which is wiped when it is freed. */
  const expand = <T>(seed: Uint8Array, use: (publicKey: Uint8Array, secretKey: Buffer) => T): T => {
    const publicKey = new Uint8Array(ED25519_KEY_BYTES);
    const secretKey = sodium.sodium_malloc(SECRET_KEY_BYTES);
    try {
      sodium.crypto_sign_seed_keypair(publicKey, secretKey, seed);
      return use(publicKey, secretKey);
    } finally {
      sodium.sodium_free(secretKey);
    }
  };
  return {
    publicKey: (seed) => expand(seed, (publicKey) => publicKey),
    sign: (seed, message) =>
      expand(seed, (_publicKey, secretKey) => {
        const signature = new Uint8Array(ED25519_SIGNATURE_BYTES);
        sodium.crypto_sign_detached(signature, message, secretKey);
        return signature;
      }),
  };
};

/** DER prefix of an Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const nodeKey = (seed: Uint8Array) => {
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
};

/** Without the native addon: OpenSSL wipes its copy when the key object is collected. */
export const nodeSeedSigner: SeedSigner = {
  publicKey: (seed) => {
    const spki = createPublicKey(nodeKey(seed)).export({ format: 'der', type: 'spki' });
    return new Uint8Array(spki.subarray(-ED25519_KEY_BYTES));
  },
  sign: (seed, message) => new Uint8Array(sign(null, message, nodeKey(seed))),
};

const load = (): SeedSigner => {
  try {
    // The addon is native. Without a build for the platform the import fails, and node:crypto is used.
    return withSodium(createRequire(import.meta.url)('sodium-native') as Sodium);
  } catch {
    return nodeSeedSigner;
  }
};

/** libsodium if its addon loads, else node:crypto; the signatures are the same. */
export const seedSigner: SeedSigner = load();
