import { execute, type Session, sql } from '../../db/statement.js';
import { hasRows } from '../table.js';

/** A processed event of the payment provider. */
export interface PaymentEvent {
  /** The provider's name for it. */
  readonly id: string;
  readonly type: string;
  /** null: it was of no known organization. */
  readonly organizationId: string | null;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
}

const isPaymentEventKnownSql = sql('is_payment_event_known', 'select from payment_event where id = $1');

/** @returns whether an event was processed before. */
export const isPaymentEventKnown = (session: Session, id: string): Promise<boolean> =>
  hasRows(session.select(isPaymentEventKnownSql, [id]));

const insertPaymentEventSql = sql(
  'insert_payment_event',
  `insert into payment_event (id, type, organization_id, occurred_at, received_at) values ($1, $2, $3, $4, $5)
    on conflict (id) do nothing`,
);

/** Stores a processed event; one that is stored already stays as it is. */
export const insertPaymentEvent = (session: Session, event: PaymentEvent): Promise<void> =>
  execute(session, insertPaymentEventSql, [
    event.id,
    event.type,
    event.organizationId,
    event.occurredAt,
    event.receivedAt,
  ]);
