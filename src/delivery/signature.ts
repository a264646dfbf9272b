import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** @returns a new random secret of a webhook */
export const newSecret = (): string => `whs_${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** @returns the lower-case hex HMAC-SHA512 of the exact bytes of a body (contract, `x-service-signature`) */
export const signatureOf = (secret: string | Uint8Array, body: string): string =>
  createHmac('sha512', secret).update(body).digest('hex');
