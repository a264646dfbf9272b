import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { generateSeed, nodeSeedSigner, seedSigner } from './seed.js';

it('returns the same signatures with and without the native addon (RFC 8032)', () => {
  // Test 2 of RFC 8032, section 7.1.
  const seed = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
  const publicKey = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c';
  const signature =
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';
  for (const signer of [seedSigner, nodeSeedSigner]) {
    expect(Buffer.from(signer.publicKey(seed)).toString('hex')).toBe(publicKey);
    expect(Buffer.from(signer.sign(seed, Buffer.of(0x72))).toString('hex')).toBe(signature);
  }
  const drawn = generateSeed();
  const message = randomBytes(100);
  expect(seedSigner.sign(drawn, message)).toEqual(nodeSeedSigner.sign(drawn, message));
});

it('draws seeds into memory of their own, so that wiping one wipes nothing else', () => {
  const [one, other] = [generateSeed(), generateSeed()];
  expect(one.equals(other)).toBe(false);
  expect(one.buffer.byteLength).toBe(32);
});
