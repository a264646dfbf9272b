import { createPrivateKey, createPublicKey, randomFillSync, sign } from 'node:crypto';
import { createRequire } from 'node:module';

interface Sodium {
  crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void;
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
  sodium_malloc(bytes: number): Buffer;
  sodium_free(buffer: Buffer): void;
}

const SEED_BYTES = 32;
const PUBLIC_KEY_BYTES = 32;
const SECRET_KEY_BYTES = 64;
const SIGNATURE_BYTES = 64;

/** Ed25519 from a 32-byte seed (RFC 8032), with as few copies of the seed as the library allows. */
export interface SeedSigner {
  /** @returns the 32-byte public key. */
  publicKey(seed: Uint8Array): Uint8Array;
  /** @returns the 64-byte signature. */
  sign(seed: Uint8Array, message: Uint8Array): Uint8Array;
}

/** @returns a random seed in memory of its own, not of Node's shared pool; who has it wipes it with `fill(0)`. */
export const drawSeed = (): Buffer => randomFillSync(Buffer.alloc(SEED_BYTES));

const withSodium = (sodium: Sodium): SeedSigner => {
  /** The expanded key lives in locked memory that is wiped when freed. */
  const expand = <T>(seed: Uint8Array, use: (publicKey: Uint8Array, secretKey: Buffer) => T): T => {
    const publicKey = new Uint8Array(PUBLIC_KEY_BYTES);
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
        const signature = new Uint8Array(SIGNATURE_BYTES);
        sodium.crypto_sign_detached(signature, message, secretKey);
        return signature;
      }),
  };
};

/** DER of an Ed25519 private key up to the 32 bytes of the key itself (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const nodeKey = (seed: Uint8Array) => {
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
};

/** The way without the native addon: OpenSSL wipes its own copy when the key object is collected. */
export const nodeSeedSigner: SeedSigner = {
  publicKey: (seed) => {
    const spki = createPublicKey(nodeKey(seed)).export({ format: 'der', type: 'spki' });
    return new Uint8Array(spki.subarray(-PUBLIC_KEY_BYTES));
  },
  sign: (seed, message) => new Uint8Array(sign(null, message, nodeKey(seed))),
};

const load = (): SeedSigner => {
  try {
    // The addon is native: on a platform without a build of it the import fails, and node:crypto takes over.
    return withSodium(createRequire(import.meta.url)('sodium-native') as Sodium);
  } catch {
    return nodeSeedSigner;
  }
};

/** libsodium where its addon loads, else node:crypto: both sign alike. */
export const seedSigner: SeedSigner = load();
