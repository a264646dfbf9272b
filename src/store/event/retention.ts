import { type Session, sql } from '../../db/statement.js';

const deleteEndedDeliveriesSql = sql(
  'delete_ended_deliveries',
  `delete from webhook_delivery where state <> 'pending' and ended_at < $1`,
);
const deleteOldAttemptsSql = sql('delete_old_webhook_attempts', 'delete from webhook_attempt where at < $1');
// The body of an event stays as long as a delivery that can be sent again.
const deleteOldBodiesSql = sql(
  'delete_old_event_bodies',
  `delete from webhook_event e
    where e.created_at < $1
      and not exists (select from webhook_delivery d where d.log_id = e.log_id and d.part = e.part)`,
);

/** Deletes deliveries that ended before a time, with their bodies, and attempts before it. */
export const deleteOldDeliveries = async (session: Session, before: Date): Promise<void> => {
  for (const statement of [deleteEndedDeliveriesSql, deleteOldAttemptsSql, deleteOldBodiesSql]) {
    await session.run(statement, [before]);
  }
};
