import { createHmac, randomBytes } from 'node:crypto';
import type { MasterKey } from '../../config/secret.js';
import type { Session } from '../../db/statement.js';
import { WEBHOOK_SEAL } from '../../store/access/sealed-column.js';
import { insertWebhookSecret, selectWebhookSecrets, type WebhookSecret } from '../../store/event/webhook-secret.js';

const SECRET_BYTES = 32;

/** A secret in the clear, with its times. */
export interface OpenSecret extends Omit<WebhookSecret, 'sealedValue'> {
  readonly value: string;
}

/** Gives a webhook a new random secret. @returns it */
export const makeSecret = async (
  session: Session,
  masterKey: MasterKey,
  { id, webhookId, createdAt }: { readonly id: string; readonly webhookId: string; readonly createdAt: Date },
): Promise<OpenSecret> => {
  const value = `whs_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const sealedValue = masterKey.seal(WEBHOOK_SEAL.purpose, Buffer.from(value), id);
  await insertWebhookSecret(session, { id, webhookId, sealedValue, createdAt, expiresAt: null });
  return { id, webhookId, createdAt, expiresAt: null, value };
};

/**
 * @returns the secrets of webhooks that have not expired, the oldest of each first
 * @throws SealError for a secret that was sealed under another master key
 */
export const openSecrets = async (
  session: Session,
  masterKey: MasterKey,
  webhookIds: readonly string[],
  now: Date,
): Promise<OpenSecret[]> => {
  const sealed = await selectWebhookSecrets(session, webhookIds, now);
  return sealed.map(({ sealedValue, ...secret }) => ({
    ...secret,
    value: masterKey.open(WEBHOOK_SEAL.purpose, sealedValue, secret.id).toString(),
  }));
};

/** @returns the lower-case hex HMAC-SHA512 of the exact bytes of a body (contract, `x-service-signature`) */
export const signatureOf = (secret: string, body: string): string =>
  createHmac('sha512', secret).update(body).digest('hex');
