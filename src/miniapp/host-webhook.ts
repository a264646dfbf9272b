import type { MasterKey } from '../config/secret.js';
import type { Session } from '../db/statement.js';
import { newSecret, signatureOf } from '../delivery/signature.js';
import { targetError } from '../delivery/target.js';
import { invalidField } from '../error.js';
import { HOST_WEBHOOK_SEAL } from '../store/access/sealed-column.js';
import { upsertHostWebhook } from '../store/miniapp/webhook.js';

const MAX_URL = 2048;

/**
 * Sets the webhook of a host app. The secret of an earlier webhook becomes invalid.
 * @returns the secret that signs the calls, as text; it is stored encrypted and returned only once
 * @throws AppError 'invalid' for a URL that must not be called
 */
export const setHostWebhook = async (
  session: Session,
  masterKey: MasterKey,
  { appId, url, now }: { readonly appId: string; readonly url: string; readonly now: Date },
): Promise<string> => {
  const property = 'notification_webhook';
  if (!URL.canParse(url) || url.length > MAX_URL) throw invalidField(property, `"${url.slice(0, 80)}" is not a URL.`);
  // Loopback is allowed or rejected by the service at each call.
  const problem = targetError(new URL(url), { allowLoopback: true });
  if (problem !== undefined) throw invalidField(property, `The address of a webhook ${problem}`);
  const secret = newSecret();
  const sealedSecret = masterKey.seal(HOST_WEBHOOK_SEAL.purpose, Buffer.from(secret), appId);
  await upsertHostWebhook(session, { appId, url, sealedSecret, createdAt: now });
  return secret;
};

/**
 * @returns the signature of a body with the text of the webhook's secret
 * @throws SealError for a secret that was encrypted with another master key
 */
export const signBody = (
  masterKey: MasterKey,
  { appId, sealedSecret, body }: { readonly appId: string; readonly sealedSecret: Uint8Array; readonly body: string },
): string => {
  const secret = masterKey.open(HOST_WEBHOOK_SEAL.purpose, sealedSecret, appId);
  try {
    return signatureOf(secret, body);
  } finally {
    secret.fill(0);
  }
};
