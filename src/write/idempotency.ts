import { createHash } from 'node:crypto';
import stringify from 'safe-stable-stringify';
import { AppError, invalidField } from '../error.js';
import type { Database } from '../store/database.js';
import { isDatabaseAway } from '../store/failure.js';
import {
  deleteIdempotentMessage,
  type IdempotentPlace,
  selectIdempotentWrite,
  upsertIdempotentAnswer,
  upsertIdempotentMessage,
} from '../store/idempotent-write.js';
import type { Journal } from './journal.js';

interface Parts {
  readonly db: Database;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** A request to write, as its idempotency key sees it. */
interface IdempotentRequest {
  readonly appId: string;
  /** operationId */
  readonly operation: string;
  /** The key; undefined: the caller sent none. */
  readonly idem: string | undefined;
  /** What carries the key: `idem` in the body unless told otherwise. */
  readonly property?: string;
  /** The whole body; the order of its members does not matter. */
  readonly body: object;
}

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text, 'utf8').digest();

const otherBody = (property: string): AppError => {
  const message = `This ${property} stands for a request with another body. Send a new one, or the same body again.`;
  return new AppError('conflict', 'Conflict', message, { property });
};

const journalOf = ({ db, clock }: Parts, place: IdempotentPlace, property: string): Journal => ({
  recall: async () => (await selectIdempotentWrite(db, place))?.message ?? undefined,
  decide: async (wire, session = db) => {
    const counts = await upsertIdempotentMessage(session, place, wire, new Date(clock()));
    if (counts === undefined) throw otherBody(property);
    return counts;
  },
  forget: (wire) => deleteIdempotentMessage(db, place, wire),
});

/**
 * Runs a write, for each key of app, operation and `idem` with one message, or one list of transactions, and one answer
 * at most.
 *
 * What makes it so is the message itself: its bytes are kept before they are submitted, and whoever runs the same
 * request, later, after a crash or at the same time in another process, submits these very bytes, which the protocol
 * takes once. A request that was refused or came too late is forgotten; one whose outcome is unknown is resumed by the next try.
 *
 * @param write gets the journal to hand to the `Writer`; undefined when there is no key
 * @param isFinal whether an answer is kept; after one that is not, the next try runs `write` with the same journal
 * @returns what `write` returns, or what it returned before
 * @throws AppError conflict, with the property, when the key came with another body; and what `write` throws
 */
export const idempotent = async <Answer extends object>(
  parts: Parts,
  { appId, operation, idem, property = 'idem', body }: IdempotentRequest,
  write: (journal: Journal | undefined) => Promise<Answer>,
  isFinal: (answer: Answer) => boolean = () => true,
): Promise<Answer> => {
  if (idem === undefined) return write(undefined);
  if (idem === '') throw invalidField(property, `${property} must not be empty: leave it out, or send a random one`);
  const place = { appId, operation, idem: sha256(idem), body: sha256(stringify(body) as string) };
  const earlier = await selectIdempotentWrite(parts.db, place);
  if (earlier && Buffer.compare(earlier.body, place.body) !== 0) throw otherBody(property);
  if (earlier?.answer) return JSON.parse(earlier.answer) as Answer;
  const answer = await write(journalOf(parts, place, property));
  if (!isFinal(answer)) return answer;
  let counts: string | undefined;
  try {
    counts = await upsertIdempotentAnswer(parts.db, place, JSON.stringify(answer), new Date(parts.clock()));
  } catch (error) {
    // The write is done. A retry finds the message in the journal and comes to the same answer.
    if (isDatabaseAway(error)) return answer;
    throw error;
  }
  if (counts === undefined) throw otherBody(property);
  return JSON.parse(counts) as Answer;
};
