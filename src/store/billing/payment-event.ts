import { selectQuery, writeQuery } from '../query-function.js';
import { type Camel, insertText, valuesOf } from '../table.js';
import type { Tables } from '../tables.js';

/** @returns whether an event was processed before. */
export const isPaymentEventKnown = selectQuery(
  'is_payment_event_known',
  'select from payment_event where id = $1',
).hasRows((id: string) => [id]);

const COLUMNS = ['id', 'type', 'organization_id', 'occurred_at', 'received_at'] as const;

/** Stores a processed event of the payment provider; one that is stored already stays as it is. */
export const insertPaymentEvent = writeQuery(
  'insert_payment_event',
  insertText('payment_event', COLUMNS, 'on conflict (id) do nothing'),
).done((event: Camel<Tables['payment_event']>) => valuesOf(COLUMNS, event));
