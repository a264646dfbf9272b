import type { Database } from '../db/database.js';
import { execute, type Param, type Session, sql, statement } from '../db/statement.js';

/** Identifies a request: two with the same scope are the same request, or one of them is a mistake. */
export interface IdempotencyScope {
  readonly appId: string;
  /** operationId */
  readonly operation: string;
  /** SHA-256 of the key that the caller chose. */
  readonly idem: Uint8Array;
  /** SHA-256 of the request's body. */
  readonly body: Uint8Array;
}

/** The stored state of a request. */
export interface IdempotentRow {
  /** SHA-256 of the first request's body. */
  readonly body: Uint8Array;
  /** Wire bytes of the message that it decided on. */
  readonly message: Uint8Array | null;
  /** JSON text. */
  readonly answer: string | null;
}

const KEY = 'app_id = $1::uuid and operation = $2 and idem = $3';

const byConflictKey = statement<IdempotentRow>(
  'idempotent_write_by_place',
  `select body, message, answer from idempotent_write where ${KEY}`,
);

const keyOf = ({ appId, operation, idem }: IdempotencyScope): Param[] => [appId, operation, idem];

/** @returns the request of that app, operation and key, whatever its body; undefined: there was none. */
export const selectIdempotentWrite = async (
  db: Database,
  place: IdempotencyScope,
): Promise<IdempotentRow | undefined> => (await db.read(byConflictKey, keyOf(place)))[0];

const upsertIdempotentMessageSql = sql<{ message: Uint8Array }>(
  'upsert_idempotent_message',
  `insert into idempotent_write as w (app_id, operation, idem, body, message, created_at)
    values ($1::uuid, $2, $3, $4, $5, $6)
    on conflict (app_id, operation, idem) do update set message = coalesce(w.message, excluded.message)
    where w.body = excluded.body
    returning message`,
);

/**
 * Stores the message of a request, unless it has one already.
 * @returns the stored message; undefined when the first request had another body
 */
export const upsertIdempotentMessage = async (
  session: Session,
  place: IdempotencyScope,
  message: Uint8Array,
  now: Date,
): Promise<Uint8Array | undefined> => {
  const [row] = await session.run(upsertIdempotentMessageSql, [...keyOf(place), place.body, message, now]);
  return row?.message;
};

const upsertIdempotentResponseSql = sql<{ answer: string }>(
  'upsert_idempotent_response',
  `insert into idempotent_write as w (app_id, operation, idem, body, answer, created_at)
    values ($1::uuid, $2, $3, $4, $5, $6)
    on conflict (app_id, operation, idem) do update set answer = coalesce(w.answer, excluded.answer)
    where w.body = excluded.body
    returning answer`,
);

/**
 * Stores the response of a request, unless it has one already.
 * @param answer JSON text
 * @returns the stored response; undefined when the first request had another body
 */
export const upsertIdempotentResponse = async (
  session: Session,
  place: IdempotencyScope,
  answer: string,
  now: Date,
): Promise<string | undefined> => {
  const [row] = await session.run(upsertIdempotentResponseSql, [...keyOf(place), place.body, answer, now]);
  return row?.answer;
};

const deleteIdempotentMessageSql = sql(
  'delete_idempotent_message',
  `delete from idempotent_write where ${KEY} and message = $4 and answer is null`,
);

/** Deletes a request whose message was rejected; one with a response stays. */
export const deleteIdempotentMessage = (
  session: Session,
  place: IdempotencyScope,
  message: Uint8Array,
): Promise<void> => execute(session, deleteIdempotentMessageSql, [...keyOf(place), message]);

const deleteOldIdempotentWritesSql = sql(
  'delete_old_idempotent_writes',
  'delete from idempotent_write where created_at < $1',
);

/** Deletes requests from before a time. */
export const deleteOldIdempotentWrites = (session: Session, before: Date): Promise<void> =>
  execute(session, deleteOldIdempotentWritesSql, [before]);
