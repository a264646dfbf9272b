import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { nextPage } from '../page.js';

const count = Type.Integer({ minimum: 0 });
const time = Type.String({ format: 'date-time' });

export const ServiceStatusResponse = namedObject('ServiceStatusResponse', {
  version: Type.String(),
  database_bytes: count,
  tables: Type.Array(
    Type.Object({
      name: Type.String(),
      bytes: Type.Integer({ minimum: 0, description: 'With its indexes.' }),
      rows: Type.Integer({ minimum: 0, description: 'As the database estimates it.' }),
    }),
    { description: 'The largest ones, largest first.' },
  ),
  jobs: Type.Array(Type.Object({ name: Type.String(), began_at: time, is_running: Type.Boolean() }), {
    description: 'The last run of each, by any process.',
  }),
  refused_items: Type.Integer({ minimum: 0, description: 'Items of hubs and files that could not be stored.' }),
  webhook_deliveries: Type.Object({
    waiting: count,
    oldest_seconds: Type.Number({ minimum: 0, description: 'Since the oldest of them was written; 0 without one.' }),
  }),
});

/** An item that could not be stored: it is kept, and can be tried again. */
export const RefusedItem = namedObject('RefusedItem', {
  id: Type.Integer(),
  kind: Type.String({ description: '`message`, `removal`, `onchain` or `proof`.' }),
  fid: Type.Integer(),
  source: Type.String({ description: 'Where it came from: `hub`, `backfill`, `file`.' }),
  attempts: count,
  first_refused_at: time,
  last_refused_at: time,
  sqlstate: nullable(Type.String({ description: 'Of the database; null: this program refused it.' })),
  reason: Type.String(),
});
export type RefusedItem = Static<typeof RefusedItem>;

export const RefusedItemsResponse = namedObject('RefusedItemsResponse', {
  items: Type.Array(RefusedItem, { description: 'In the order in which they were first refused.' }),
  next: nextPage,
});

export const RetryRefusedReqBody = namedObject('RetryRefusedReqBody', { id: Type.Integer({ minimum: 1 }) });
export const RetryRefusedResponse = namedObject('RetryRefusedResponse', {
  is_stored: Type.Boolean({ description: 'false: it was refused again, and stays.' }),
});
