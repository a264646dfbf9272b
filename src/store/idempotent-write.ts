import { type Database, type Param, type Session, statement } from './database.js';

/** Which request it is: two with the same place are the same request, or one of them is a mistake. */
export interface IdempotentPlace {
  readonly appId: string;
  /** operationId */
  readonly operation: string;
  /** SHA-256 of the key that the caller chose. */
  readonly idem: Uint8Array;
  /** SHA-256 of the request's body. */
  readonly body: Uint8Array;
}

/** How far a request has come. */
export interface IdempotentRow {
  /** Of the request that came first, 32 bytes. */
  readonly body: Uint8Array;
  /** Wire bytes of the message that it decided on. */
  readonly message: Uint8Array | null;
  /** JSON text. */
  readonly answer: string | null;
}

const KEY = 'app_id = $1::uuid and operation = $2 and idem = $3';

const byPlace = statement<IdempotentRow>(
  'idempotent_write_by_place',
  `select body, message, answer from idempotent_write where ${KEY}`,
);

const keyOf = ({ appId, operation, idem }: IdempotentPlace): Param[] => [appId, operation, idem];

/** @returns the request of that app, operation and key, whatever its body; undefined: there was none. */
export const selectIdempotentWrite = async (db: Database, place: IdempotentPlace): Promise<IdempotentRow | undefined> =>
  (await db.read(byPlace, keyOf(place)))[0];

/**
 * Decides for a message, unless another is decided on already.
 * @returns the message that counts; undefined when the request that came first had another body
 */
export const upsertIdempotentMessage = async (
  session: Session,
  place: IdempotentPlace,
  message: Uint8Array,
  now: Date,
): Promise<Uint8Array | undefined> => {
  const [row] = await session.run<{ message: Uint8Array }>(
    `insert into idempotent_write as w (app_id, operation, idem, body, message, created_at)
     values ($1::uuid, $2, $3, $4, $5, $6)
     on conflict (app_id, operation, idem) do update set message = coalesce(w.message, excluded.message)
     where w.body = excluded.body
     returning message`,
    [...keyOf(place), place.body, message, now],
  );
  return row?.message;
};

/**
 * Keeps what the request is answered with, unless an answer is kept already.
 * @param answer JSON text
 * @returns the answer that counts; undefined when the request that came first had another body
 */
export const upsertIdempotentAnswer = async (
  session: Session,
  place: IdempotentPlace,
  answer: string,
  now: Date,
): Promise<string | undefined> => {
  const [row] = await session.run<{ answer: string }>(
    `insert into idempotent_write as w (app_id, operation, idem, body, answer, created_at)
     values ($1::uuid, $2, $3, $4, $5, $6)
     on conflict (app_id, operation, idem) do update set answer = coalesce(w.answer, excluded.answer)
     where w.body = excluded.body
     returning answer`,
    [...keyOf(place), place.body, answer, now],
  );
  return row?.answer;
};

/** Forgets a request whose message was refused; one that was answered stays. */
export const deleteIdempotentMessage = async (
  session: Session,
  place: IdempotentPlace,
  message: Uint8Array,
): Promise<void> => {
  await session.run(`delete from idempotent_write where ${KEY} and message = $4 and answer is null`, [
    ...keyOf(place),
    message,
  ]);
};

/** Forgets the requests that came before a time. */
export const deleteOldIdempotentWrites = async (session: Session, before: Date): Promise<void> => {
  await session.run('delete from idempotent_write where created_at < $1', [before]);
};
