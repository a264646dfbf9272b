import { selectQuery, writeQuery } from '../query-function.js';
import { insertText } from '../table.js';

/** @returns whether an event was processed before. */
export const isPaymentEventKnown = selectQuery(
  'is_payment_event_known',
  'select from payment_event where id = :id',
).hasRows((id: string) => ({ id }));

const COLUMNS = ['id', 'type', 'organization_id', 'occurred_at', 'received_at'] as const;

/** Stores a processed event of the payment provider; one that is stored already stays as it is. */
export const insertPaymentEvent = writeQuery(
  'insert_payment_event',
  insertText('payment_event', COLUMNS, 'on conflict (id) do nothing'),
).done();
