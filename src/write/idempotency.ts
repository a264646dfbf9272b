import { createHash } from 'node:crypto';
import stringify from 'safe-stable-stringify';
import { equalBytes } from '../bytes.js';
import type { Database } from '../db/database.js';
import { isDatabaseUnavailable } from '../db/failure.js';
import { AppError, invalidField } from '../error.js';
import {
  deleteIdempotentMessage,
  type IdempotencyScope,
  selectIdempotentWrite,
  upsertIdempotentMessage,
  upsertIdempotentResponse,
} from '../store/idempotent-write.js';
import type { IdempotencyRecord } from './idempotency-record.js';

interface Dependencies {
  readonly db: Database;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** The parts of a write request that identify it. */
interface IdempotentRequest {
  readonly appId: string;
  /** operationId */
  readonly operation: string;
  /** The key; undefined if the request has none. */
  readonly idem: string | undefined;
  /** The member or header with the key; default `idem` in the body. */
  readonly property?: string;
  /** The whole body; the order of its members does not matter. */
  readonly body: object;
}

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text, 'utf8').digest();

const otherBody = (property: string): AppError => {
  const message = `This ${property} stands for a request with another body. Send a new one, or the same body again.`;
  return new AppError('conflict', 'Conflict', message, { property });
};

const idempotencyRecordOf = (
  { db, clock }: Dependencies,
  place: IdempotencyScope,
  property: string,
): IdempotencyRecord => ({
  loadDecision: async () => (await selectIdempotentWrite(db, place))?.message ?? undefined,
  storeDecision: async (wire, session = db) => {
    const counts = await upsertIdempotentMessage(session, place, wire, new Date(clock()));
    if (counts === undefined) throw otherBody(property);
    return counts;
  },
  forget: (wire) => deleteIdempotentMessage(db, place, wire),
});

/**
 * Runs a write so that each key of app, operation and `idem` leads to at most one message or list of transactions, and
 * one response.
 *
 * The bytes of the message are stored before they are submitted. Every run of the same request, after a crash or
 * concurrently in another process, submits the same bytes, which the protocol stores once. The record of a rejected or
 * superseded request is deleted; a request with an unknown outcome is resumed when it is repeated.
 * @param write gets the record for the `Writer`; undefined without a key
 * @param isFinal whether a response is stored; after another one a repeated request runs `write` with the same record
 * @returns what `write` returns, or returned before
 * @throws AppError conflict, with the property, if the key was used with another body; and what `write` throws
 */
export const idempotent = async <Answer extends object>(
  deps: Dependencies,
  { appId, operation, idem, property = 'idem', body }: IdempotentRequest,
  write: (idempotencyRecord: IdempotencyRecord | undefined) => Promise<Answer>,
  isFinal: (answer: Answer) => boolean = () => true,
): Promise<Answer> => {
  if (idem === undefined) return write(undefined);
  if (idem === '') throw invalidField(property, `${property} must not be empty: leave it out, or send a random one`);
  const place = { appId, operation, idem: sha256(idem), body: sha256(stringify(body) as string) };
  const earlier = await selectIdempotentWrite(deps.db, place);
  if (earlier && !equalBytes(earlier.body, place.body)) throw otherBody(property);
  if (earlier?.answer) return JSON.parse(earlier.answer) as Answer;
  const answer = await write(idempotencyRecordOf(deps, place, property));
  if (!isFinal(answer)) return answer;
  let counts: string | undefined;
  try {
    counts = await upsertIdempotentResponse(deps.db, place, JSON.stringify(answer), new Date(deps.clock()));
  } catch (error) {
    // The write is done. A repeated request finds the message in the record and returns the same response.
    if (isDatabaseUnavailable(error)) return answer;
    throw error;
  }
  if (counts === undefined) throw otherBody(property);
  return JSON.parse(counts) as Answer;
};
