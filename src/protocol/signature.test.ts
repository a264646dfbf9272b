import { spawnSync } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SignatureBackend, signatureVerifier } from './signature.js';

const BACKENDS: SignatureBackend[] = ['libsodium', 'node:crypto'];
const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;
/** Generates the eight points of small order. */
const TORSION = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const fromLittleEndian = (value: Uint8Array): bigint => BigInt(`0x${Buffer.from(value).reverse().toString('hex')}`);
const toLittleEndian = (value: bigint): Uint8Array =>
  new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse());
const sha512 = (value: Uint8Array): Uint8Array => createHash('sha512').update(value).digest();
const join = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** OpenSSL as node:crypto gives it, without our rules. */
const opensslVerify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean => {
  const x = Buffer.from(publicKey).toString('base64url');
  return verify(null, message, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), signature);
};

/** The protocol package's default: @noble/curves, by ZIP 215. */
const packageVerify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean => {
  try {
    return ed25519.verify(signature, message, publicKey);
  } catch {
    return false;
  }
};

interface Vector {
  readonly name: string;
  readonly message: string;
  readonly publicKey: string;
  readonly signature: string;
  /** What ed25519-dalek's `verify_strict` says, and so the hub. */
  readonly isValid: boolean;
  /** Whose own result, without our rules, differs from the hub's. */
  readonly differs: readonly ('openssl' | 'package')[];
}

const MIXED = 'f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43';
const MIXED_2 = 'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d';
const PRIME = '442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623';
const SMALL = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa';
const NON_CANONICAL = 'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff';

/**
 * The twelve vectors of K. Chalkias, F. Garillot, V. Nikolaenko, "Taming the many EdDSAs" (2020), and the column
 * "Dalek strict" of its results. libsodium 1.0.21 agrees with that column throughout.
 */
const VECTORS: readonly Vector[] = [
  {
    name: '0: small-order key and R, S = 0',
    message: '8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6',
    publicKey: SMALL,
    signature:
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a0000000000000000000000000000000000000000000000000000000000000000',
    isValid: false,
    differs: ['openssl', 'package'],
  },
  {
    name: '1: small-order key',
    message: '9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79',
    publicKey: SMALL,
    signature: `${MIXED}a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04`,
    isValid: false,
    differs: ['openssl', 'package'],
  },
  {
    name: '2: small-order R',
    message: 'aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab',
    publicKey: MIXED,
    signature: `${SMALL}8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e`,
    isValid: false,
    differs: ['openssl', 'package'],
  },
  {
    name: '3: mixed-order key and R, holds without the cofactor',
    message: '9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79',
    publicKey: MIXED_2,
    signature:
      '9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009',
    isValid: true,
    differs: [],
  },
  {
    name: '4: mixed-order key and R, holds with the cofactor alone',
    message: 'e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c',
    publicKey: MIXED_2,
    signature:
      '160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09',
    isValid: false,
    differs: ['package'],
  },
  {
    name: '5: mixed-order key, holds with the cofactor alone',
    message: 'e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c',
    publicKey: MIXED_2,
    signature:
      '21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405',
    isValid: false,
    differs: ['package'],
  },
  {
    name: '6: S above the order',
    message: '85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40',
    publicKey: PRIME,
    signature:
      'e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514',
    isValid: false,
    differs: [],
  },
  {
    name: '7: S far above the order',
    message: '85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40',
    publicKey: PRIME,
    signature:
      '8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa19427e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22',
    isValid: false,
    differs: [],
  },
  {
    name: '8: non-canonical R, reduced for the hash',
    message: '9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41',
    publicKey: MIXED,
    signature: `${NON_CANONICAL}03be9678ac102edcd92b0210bb34d7428d12ffc5df5f37e359941266a4e35f0f`,
    isValid: false,
    differs: ['package'],
  },
  {
    name: '9: non-canonical R, not reduced for the hash',
    message: '9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41',
    publicKey: MIXED,
    signature: `${NON_CANONICAL}ca8c5b64cd208982aa38d4936621a4775aa233aa0505711d8fdcfdaa943d4908`,
    isValid: false,
    differs: [],
  },
  {
    name: '10: non-canonical key, reduced for the hash',
    message: 'e96b7021eb39c1a163b6da4e3093dcd3f21387da4cc4572be588fafae23c155b',
    publicKey: NON_CANONICAL,
    signature:
      'a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dca5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04',
    isValid: false,
    differs: ['package'],
  },
  {
    name: '11: non-canonical key, not reduced for the hash',
    message: '39a591f5321bbe07fd5a23dc2f39d025d74526615746727ceefd6e82ae65c06f',
    publicKey: NON_CANONICAL,
    signature:
      'a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dca5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04',
    isValid: false,
    differs: ['openssl', 'package'],
  },
];

describe.each(BACKENDS)('%s keeps the hub rule', (backend) => {
  const verifier = signatureVerifier(backend);

  it.each(VECTORS)('on vector $name', ({ message, publicKey, signature, isValid }) => {
    expect(verifier.verify(bytes(signature), bytes(message), bytes(publicKey))).toBe(isValid);
  });

  it('on signatures and keys of a wrong length', () => {
    const { message, publicKey, signature } = VECTORS[3] as Vector;
    for (const [signatureLength, keyLength] of [
      [63, 32],
      [64, 31],
      [0, 32],
      [64, 0],
      [65, 33],
    ] as const) {
      const longSignature = join(bytes(signature), new Uint8Array(1)).subarray(0, signatureLength);
      const longKey = join(bytes(publicKey), new Uint8Array(1)).subarray(0, keyLength);
      expect(verifier.verify(longSignature, bytes(message), longKey)).toBe(false);
    }
  });

  it('on every small-order key and R, canonical or not', () => {
    const identity = toLittleEndian(1n);
    const encodings = smallOrderEncodings();
    expect(encodings.length).toBeGreaterThanOrEqual(14);
    for (const point of encodings) {
      // With a key of order one every R = S * B satisfies the equation; with R of order one and S = 0 so do some keys.
      expect(verifier.verify(join(Point.BASE.toBytes(), toLittleEndian(1n)), bytes('00'), point)).toBe(false);
      expect(verifier.verify(join(point, toLittleEndian(0n)), bytes('00'), identity)).toBe(false);
      expect(verifier.verify(join(point, toLittleEndian(0n)), bytes('00'), bytes(PRIME))).toBe(false);
    }
  });

  it('on keys and nonces with a part of small order: they count in the equation', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 7 }),
        fc.integer({ min: 0, max: 7 }),
        fc.nat(),
        (keyPart, noncePart, seed) => {
          const { signature, message, publicKey, holds } = signWithTorsion(keyPart, noncePart, seed);
          expect(verifier.verify(signature, message, publicKey)).toBe(holds);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('on S and S plus the order', () => {
    const { signature, message, publicKey } = signWithTorsion(0, 0, 1);
    const s = fromLittleEndian(signature.subarray(32));
    expect(verifier.verify(signature, message, publicKey)).toBe(true);
    const shifted = join(signature.subarray(0, 32), toLittleEndian(s + ORDER));
    expect(verifier.verify(shifted, message, publicKey)).toBe(false);
  });
});

describe('the libraries without our additional rules', () => {
  it.each(VECTORS)('vector $name', ({ message, publicKey, signature, isValid, differs }) => {
    const input = [bytes(signature), bytes(message), bytes(publicKey)] as const;
    // OpenSSL 3.0 (Node 20) differs on the listed vectors, 3.5 (Node 24) on none.
    if (opensslVerify(...input) !== isValid) expect(differs).toContain('openssl');
    expect(packageVerify(...input)).toBe(isValid !== differs.includes('package'));
  });
});

describe('random signatures', () => {
  const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const message = fc.uint8Array({ minLength: 0, maxLength: 100 });

  it('hold everywhere', () => {
    fc.assert(
      fc.property(secret, message, (key, text) => {
        const signature = ed25519.sign(text, key);
        const publicKey = ed25519.getPublicKey(key);
        for (const backend of BACKENDS) {
          expect(signatureVerifier(backend).verify(signature, text, publicKey)).toBe(true);
        }
        expect(packageVerify(signature, text, publicKey)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('fail everywhere once a bit of signature, message or key is turned', () => {
    fc.assert(
      fc.property(secret, message, fc.nat(), fc.integer({ min: 0, max: 7 }), (key, text, position, bit) => {
        const parts = [ed25519.sign(text, key), text, ed25519.getPublicKey(key)] as const;
        const all = join(...parts);
        const at = position % all.length;
        all[at] = (all[at] as number) ^ (1 << bit);
        const [signature, changed, publicKey] = [all.subarray(0, 64), all.subarray(64, -32), all.subarray(-32)];
        for (const backend of BACKENDS) {
          expect(signatureVerifier(backend).verify(signature, changed, publicKey)).toBe(false);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('a machine without the native addon', () => {
  it('verifies with node:crypto', () => {
    const script = `
      import Module from 'node:module';
      const load = Module._load;
      Module._load = (name, ...rest) => {
        if (name === 'sodium-native') throw new Error('no build of the addon for this platform');
        return load(name, ...rest);
      };
      const { signatureVerifier } = await import(${JSON.stringify(new URL('./signature.ts', import.meta.url).href)});
      console.log(signatureVerifier().backend);
      try { signatureVerifier('libsodium'); } catch (error) { console.log(error.message); }`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(stdout, stderr).toBe('node:crypto\nlibsodium cannot be used here\n');
  });
});

/** @returns the encodings of the points of order 1, 2, 4 and 8, with y as it is or plus the field's order, both signs */
const smallOrderEncodings = (): Uint8Array[] => {
  const encodings = new Map<string, Uint8Array>();
  for (let multiple = 0n; multiple < 8n; multiple++) {
    const y = TORSION.multiplyUnsafe(multiple).toAffine().y;
    for (const value of [y, y + Point.Fp.ORDER]) {
      if (value >= 2n ** 255n) continue;
      for (const sign of [0n, 1n]) {
        const encoding = toLittleEndian(value + sign * 2n ** 255n);
        encodings.set(Buffer.from(encoding).toString('hex'), encoding);
      }
    }
  }
  return [...encodings.values()];
};

/** Signs with `keyPart` and `noncePart` times the small-order generator added to the key and to R. */
const signWithTorsion = (keyPart: number, noncePart: number, seed: number) => {
  const part = (index: number) => TORSION.multiplyUnsafe(BigInt(index));
  const scalar = (label: string) => (fromLittleEndian(sha512(Buffer.from(`${label} ${seed}`))) % (ORDER - 1n)) + 1n;
  const [secret, nonce] = [scalar('secret'), scalar('nonce')];
  const publicKey = Point.BASE.multiply(secret).add(part(keyPart)).toBytes();
  const r = Point.BASE.multiply(nonce).add(part(noncePart)).toBytes();
  const message = new Uint8Array(Buffer.from(`message ${seed}`));
  const challenge = fromLittleEndian(sha512(join(r, publicKey, message))) % ORDER;
  const signature = join(r, toLittleEndian((nonce + challenge * secret) % ORDER));
  // R = S*B - challenge*A, so the small-order parts must cancel out.
  const holds = (noncePart + Number(challenge % 8n) * keyPart) % 8 === 0;
  return { signature, message, publicKey, holds };
};
