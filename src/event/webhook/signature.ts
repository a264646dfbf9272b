import type { MasterKey } from '../../config/secret.js';
import type { Session } from '../../db/statement.js';
import { newSecret } from '../../delivery/signature.js';
import { WEBHOOK_SEAL } from '../../store/access/sealed-column.js';
import { insertWebhookSecret, selectWebhookSecrets, type WebhookSecret } from '../../store/event/webhook-secret.js';

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
  const value = newSecret();
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
