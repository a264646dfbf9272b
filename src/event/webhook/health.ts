import type { Database } from '../../db/database.js';
import { type AttemptOutcome, endPendingDeliveries } from '../../store/event/delivery.js';
import {
  type CalledWebhook,
  switchWebhookOff,
  updateWebhookFailed,
  updateWebhookSucceeded,
} from '../../store/event/webhook.js';

/** A receiver that has not taken one event for this long is called no more. */
const SWITCH_OFF_MS = 3 * 24 * 3_600_000;
/** The receiver says that it is gone for good (RFC 9110, 15.5.11). */
const GONE = 410;

/** Switches a webhook off. Its pending deliveries count as failed, so that they can be replayed. */
const switchOff = (db: Database, webhook: CalledWebhook, reason: string, now: Date): Promise<void> =>
  db.transaction(async (session) => {
    if (await switchWebhookOff(session, webhook, reason, now)) {
      await endPendingDeliveries(session, webhook.id, 'dead', now);
    }
  });

/** Stores what the attempts show about the receiver, and may switch it off. @returns whether it may be called again */
export const updateWebhookHealth = async (
  db: Database,
  webhook: CalledWebhook,
  outcomes: readonly AttemptOutcome[],
  now: Date,
): Promise<boolean> => {
  if (outcomes.length === 0) return true;
  if (outcomes.some(({ status }) => status === GONE)) {
    await switchOff(db, webhook, `Switched off: the receiver answered ${GONE}.`, now);
    return false;
  }
  if (outcomes.some(({ failure }) => failure === null)) {
    await updateWebhookSucceeded(db, webhook);
    return true;
  }
  const since = await updateWebhookFailed(db, webhook, now);
  if (since === undefined || now.getTime() - since.getTime() < SWITCH_OFF_MS) return true;
  await switchOff(db, webhook, 'Switched off: no call has succeeded for three days.', now);
  return false;
};
