import { createPublicKey, verify as verifyWithNode } from 'node:crypto';

/** Verifies with OpenSSL, whatever library signed. */
export const verify = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean => {
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verifyWithNode(null, message, key, signature);
};
