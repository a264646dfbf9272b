import type { Session } from '../../db/statement.js';
import { writeQuery } from '../query-function.js';

const deleteEndedDeliveries = writeQuery(
  'delete_ended_deliveries',
  `delete from webhook_delivery where state <> 'pending' and ended_at < :before`,
).done();
const deleteOldAttempts = writeQuery(
  'delete_old_webhook_attempts',
  'delete from webhook_attempt where at < :before',
).done();
// The body of an event stays as long as a delivery that can be sent again.
const deleteOldBodies = writeQuery(
  'delete_old_event_bodies',
  `delete from webhook_event e
    where e.created_at < :before
      and not exists (select from webhook_delivery d where d.log_id = e.log_id and d.part = e.part)`,
).done();

/** Deletes deliveries that ended before a time, with their bodies, and attempts before it. */
export const deleteOldDeliveries = async (session: Session, before: Date): Promise<void> => {
  await deleteEndedDeliveries(session, { before });
  await deleteOldAttempts(session, { before });
  await deleteOldBodies(session, { before });
};
