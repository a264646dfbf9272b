import { execute, type Session, sql } from '../../db/statement.js';
import { type Camel, hasRows, insertText, valuesOf } from '../table.js';
import type { Tables } from '../tables.js';

const isPaymentEventKnownSql = sql('is_payment_event_known', 'select from payment_event where id = $1');

/** @returns whether an event was processed before. */
export const isPaymentEventKnown = (session: Session, id: string): Promise<boolean> =>
  hasRows(session.select(isPaymentEventKnownSql, [id]));

const COLUMNS = ['id', 'type', 'organization_id', 'occurred_at', 'received_at'] as const;

const insertPaymentEventSql = sql(
  'insert_payment_event',
  insertText('payment_event', COLUMNS, 'on conflict (id) do nothing'),
);

/** Stores a processed event of the payment provider; one that is stored already stays as it is. */
export const insertPaymentEvent = (session: Session, event: Camel<Tables['payment_event']>): Promise<void> =>
  execute(session, insertPaymentEventSql, valuesOf(COLUMNS, event));
