import { randomUUID } from 'node:crypto';
import type { MasterKey } from '../../config/secret.js';
import type { Database } from '../../db/database.js';
import { notFound } from '../../error.js';
import { selectWebhooksById } from '../../store/event/webhook.js';
import { expireWebhookSecrets } from '../../store/event/webhook-secret.js';
import { makeSecret, type OpenSecret } from './signature.js';

/** How long the old secret still signs after a rotation. */
const OVERLAP_MS = 24 * 3_600_000;

/**
 * Adds a new secret. The old one goes on signing for a day, and a second header holds the signature by the new one.
 * @returns the new secret
 * @throws AppError `not_found`
 */
export const rotateSecret = (db: Database, masterKey: MasterKey, webhookId: string, now: Date): Promise<OpenSecret> =>
  db.transaction(async (session) => {
    const [webhook] = await selectWebhooksById(session, [webhookId]);
    if (webhook === undefined || webhook.deletedAt !== null) throw notFound(`There is no webhook ${webhookId}.`);
    await expireWebhookSecrets(session, webhookId, new Date(now.getTime() + OVERLAP_MS));
    return makeSecret(session, masterKey, { id: randomUUID(), webhookId, createdAt: now });
  });
