import { createHmac, randomBytes } from 'node:crypto';
import type { MasterKey } from '../config/secret.js';
import { targetFault } from '../delivery/target.js';
import { invalidField } from '../error.js';
import type { Session } from '../store/database.js';
import { upsertHostWebhook } from '../store/host-webhook.js';
import { HOST_WEBHOOK_SEAL } from '../store/sealed.js';

const SECRET_BYTES = 32;
const MAX_URL = 2048;

/**
 * Sets where a host app's notifications are pushed to. A secret of an earlier webhook ends with it.
 *
 * @returns the secret that calls are signed with from now on, as text; it is stored sealed and shown this once
 * @throws AppError 'invalid' for an address that is never called
 */
export const setHostWebhook = async (
  session: Session,
  masterKey: MasterKey,
  { appId, url, now }: { readonly appId: string; readonly url: string; readonly now: Date },
): Promise<string> => {
  const property = 'notification_webhook';
  if (!URL.canParse(url) || url.length > MAX_URL) throw invalidField(property, `"${url.slice(0, 80)}" is not a URL.`);
  // Whether this machine may be called decides the service that calls, each time.
  const fault = targetFault(new URL(url), { allowLoopback: true });
  if (fault !== undefined) throw invalidField(property, `The address of a webhook ${fault}`);
  const secret = `whs_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const sealedSecret = masterKey.seal(HOST_WEBHOOK_SEAL.purpose, Buffer.from(secret), appId);
  await upsertHostWebhook(session, { appId, url, sealedSecret, createdAt: now });
  return secret;
};

/**
 * @returns what proves that a body comes from here: hex HMAC-SHA512 under the text of the webhook's secret (contract,
 *   `x-service-signature`)
 * @throws SealError for a secret that was sealed under another master key
 */
export const signBody = (
  masterKey: MasterKey,
  { appId, sealedSecret, body }: { readonly appId: string; readonly sealedSecret: Uint8Array; readonly body: string },
): string => {
  const secret = masterKey.open(HOST_WEBHOOK_SEAL.purpose, sealedSecret, appId);
  try {
    return createHmac('sha512', secret).update(body).digest('hex');
  } finally {
    secret.fill(0);
  }
};
