import { readQuery, writeQuery } from './query-function.js';
import type { Camel, Written } from './table.js';
import type { Tables } from './tables.js';

type Columns = Camel<Written<Tables['idempotent_write']>>;

/** Identifies a request: two with the same scope are the same request, or one of them is a mistake. */
export type IdempotencyScope = Omit<Columns, 'message' | 'answer' | 'createdAt'>;

const KEY = 'app_id = :appId::uuid and operation = :operation and idem = :idem';

const keyOf = ({ appId, operation, idem }: IdempotencyScope) => ({ appId, operation, idem });

/** @returns the request of that app, operation and key, whatever its body; undefined: there was none. */
export const selectIdempotentWrite = readQuery(
  'idempotent_write_by_key',
  `select body, message, answer from idempotent_write where ${KEY}`,
).first((scope: IdempotencyScope) => keyOf(scope));

const upsertText = (column: 'message' | 'answer'): string =>
  `insert into idempotent_write as w (app_id, operation, idem, body, ${column}, created_at)
    values (:appId::uuid, :operation, :idem, :body, :value, :now)
    on conflict (app_id, operation, idem) do update set ${column} = coalesce(w.${column}, excluded.${column})
    where w.body = excluded.body
    returning ${column} as "value!"`;

const rowOf = <Value>(scope: IdempotencyScope, value: Value, now: Date) => ({
  ...keyOf(scope),
  body: scope.body,
  value,
  now,
});

/**
 * Stores the message of a request, unless it has one already.
 * @returns the stored message; undefined when the first request had another body
 */
export const upsertIdempotentMessage = writeQuery('upsert_idempotent_message', upsertText('message')).value(
  'value',
  (scope: IdempotencyScope, message: Uint8Array, now: Date) => rowOf(scope, message, now),
);

/** The same for the response, which is JSON text. */
export const upsertIdempotentResponse = writeQuery('upsert_idempotent_response', upsertText('answer')).value(
  'value',
  (scope: IdempotencyScope, response: string, now: Date) => rowOf(scope, response, now),
);

/** Deletes a request whose message was rejected; one with a response stays. */
export const deleteIdempotentMessage = writeQuery(
  'delete_idempotent_message',
  `delete from idempotent_write where ${KEY} and message = :message and answer is null`,
).done((scope: IdempotencyScope, message: Uint8Array) => ({ ...keyOf(scope), message }));

/** Deletes requests from before a time. */
export const deleteOldIdempotentWrites = writeQuery(
  'delete_old_idempotent_writes',
  'delete from idempotent_write where created_at < :before',
).done((before: Date) => ({ before }));
