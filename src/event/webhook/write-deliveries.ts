import { randomUUID } from 'node:crypto';
import type { Session } from '../../db/statement.js';
import { insertEventBodies, type NewDelivery, upsertDeliveries } from '../../store/event/delivery.js';
import type { OutgoingEvent } from '../outgoing.js';
import type { ActiveWebhook } from './active-webhooks.js';

/**
 * Writes events and makes them due for their webhooks; call it in a transaction.
 * @param options as those of `upsertDeliveries`
 * @returns how many deliveries are due because of this call
 */
export const writeDeliveries = async (
  session: Session,
  events: readonly OutgoingEvent<ActiveWebhook>[],
  options: Parameters<typeof upsertDeliveries>[2],
): Promise<number> => {
  const bodies = events.map(({ event: { logId, part }, dialect, body }) => ({ logId, part, dialect, body }));
  await insertEventBodies(session, bodies, options.now);
  const deliveries = events.flatMap(({ event: { logId, part, type }, recipients }) =>
    recipients.map(({ id }): NewDelivery => ({ id: randomUUID(), webhookId: id, logId, part, type })),
  );
  return upsertDeliveries(session, deliveries, options);
};
