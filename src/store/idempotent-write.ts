import { type Param, type Session, sql } from '../db/statement.js';
import { readQuery, writeQuery } from './query-function.js';
import type { Camel, Written } from './table.js';
import type { Tables } from './tables.js';

type Columns = Camel<Written<Tables['idempotent_write']>>;

/** Identifies a request: two with the same scope are the same request, or one of them is a mistake. */
export type IdempotencyScope = Omit<Columns, 'message' | 'answer' | 'createdAt'>;

/** The stored state of a request, with the SHA-256 of the first request's body. */
export type IdempotentRow = Pick<Columns, 'body' | 'message' | 'answer'>;

const KEY = 'app_id = $1::uuid and operation = $2 and idem = $3';

const keyOf = ({ appId, operation, idem }: IdempotencyScope): Param[] => [appId, operation, idem];

/** @returns the request of that app, operation and key, whatever its body; undefined: there was none. */
export const selectIdempotentWrite = readQuery<IdempotentRow>(
  'idempotent_write_by_key',
  `select body, message, answer from idempotent_write where ${KEY}`,
).first((scope: IdempotencyScope) => keyOf(scope));

const upsert = <Value extends Param>(name: string, column: 'message' | 'answer') => {
  const statement = sql<{ value: Value }>(
    name,
    `insert into idempotent_write as w (app_id, operation, idem, body, ${column}, created_at)
    values ($1::uuid, $2, $3, $4, $5, $6)
    on conflict (app_id, operation, idem) do update set ${column} = coalesce(w.${column}, excluded.${column})
    where w.body = excluded.body
    returning ${column} as value`,
  );
  return async (session: Session, scope: IdempotencyScope, value: Value, now: Date): Promise<Value | undefined> =>
    (await session.run(statement, [...keyOf(scope), scope.body, value, now]))[0]?.value;
};

/**
 * Stores the message of a request, unless it has one already.
 * @returns the stored message; undefined when the first request had another body
 */
export const upsertIdempotentMessage = upsert<Uint8Array>('upsert_idempotent_message', 'message');

/** The same for the response, which is JSON text. */
export const upsertIdempotentResponse = upsert<string>('upsert_idempotent_response', 'answer');

/** Deletes a request whose message was rejected; one with a response stays. */
export const deleteIdempotentMessage = writeQuery(
  'delete_idempotent_message',
  `delete from idempotent_write where ${KEY} and message = $4 and answer is null`,
).done((scope: IdempotencyScope, message: Uint8Array) => [...keyOf(scope), message]);

/** Deletes requests from before a time. */
export const deleteOldIdempotentWrites = writeQuery(
  'delete_old_idempotent_writes',
  'delete from idempotent_write where created_at < $1',
).done((before: Date) => [before]);
