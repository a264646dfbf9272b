import { AppError } from '../../../error.js';
import type { IngestOutcome } from '../../../ingest/ingest-outcome.js';
import { decodeEnvelope, parseFailure } from '../../../protocol/wire/envelope.js';
import type { Envelope } from '../../../protocol/wire/message.js';
import { WireError, WireReader } from '../../../protocol/wire/wire.js';
import { hubCodeOf } from '../../http/error.js';
import type { Services } from '../../http/service.js';
import { refusalOf } from './error.js';

/** Messages that one request submits at most. */
export const MAX_BULK_MESSAGES = 1_000;

/** `messages` of the protocol's `SubmitBulkMessagesRequest`. */
const MESSAGES_FIELD = 1;

/** @throws WireError */
const messageFields = function* (request: Uint8Array): Generator<Uint8Array> {
  const reader = new WireReader(request);
  while (reader.next()) {
    if (reader.field === MESSAGES_FIELD) yield reader.byteString();
    else reader.skip();
  }
};

/**
 * @param request bytes of a `SubmitBulkMessagesRequest`
 * @returns the exact bytes of each message, as views. Decoding and encoding them would change what their hashes are of.
 * @throws AppError invalid, for other bytes (hubCode `bad_request.parse_failure`) and for too many messages
 */
export const splitBulk = (request: Uint8Array): Uint8Array[] => {
  const wires: Uint8Array[] = [];
  try {
    for (const wire of messageFields(request)) {
      if (wires.push(wire) > MAX_BULK_MESSAGES) {
        const message = `The request has more than ${MAX_BULK_MESSAGES} messages. Send them in several requests.`;
        throw new AppError('invalid', 'InvalidField', message, { property: 'messages' });
      }
    }
  } catch (cause) {
    if (cause instanceof WireError) throw parseFailure(cause.message, cause);
    throw cause;
  }
  return wires;
};

/** @returns how many messages the request has up to the first fault in it */
export const countBulk = (request: Uint8Array): number => {
  let count = 0;
  try {
    for (const _ of messageFields(request)) count++;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
  return count;
};

/** A message that is stored. */
export interface StoredBulkMessage {
  readonly wire: Uint8Array;
  readonly envelope: Envelope;
}

/** Why a message is not stored, as the protocol's `MessageError` says it. */
export interface RefusedBulkMessage {
  /** No bytes for a message that cannot be read. */
  readonly hash: Uint8Array;
  readonly errCode: string;
  readonly message: string;
}

const refused = (hash: Uint8Array, error: AppError): RefusedBulkMessage => ({
  hash,
  errCode: hubCodeOf(error),
  message: error.message,
});

/** @returns the envelope of a message, or why there is none */
const readWire = (wire: Uint8Array): StoredBulkMessage | RefusedBulkMessage => {
  try {
    return { wire, envelope: decodeEnvelope(wire) };
  } catch (error) {
    if (error instanceof AppError) return refused(new Uint8Array(0), error);
    throw error;
  }
};

const errorOf = (outcome: IngestOutcome | AppError | undefined): AppError | undefined =>
  outcome instanceof AppError ? outcome : refusalOf(outcome);

/**
 * Submits messages together, in their order, so that a message may need those before it. A refused one does not keep the
 * others from being stored. Hubs refuse all messages of an account of which one is bad, and some kinds of message.
 * @param wires bytes of each message
 * @returns for each message, in the order given, that it is stored or why it is not
 * @throws AppError unavailable if the hub behind this service does not respond to the first
 */
export const submitBulk = async (
  { hub }: Pick<Services, 'hub'>,
  wires: readonly Uint8Array[],
): Promise<(StoredBulkMessage | RefusedBulkMessage)[]> => {
  const read = wires.map(readWire);
  const readable = read.filter((one) => 'envelope' in one);
  const submitted = readable.map(({ wire }) => wire);
  const outcomes = submitted.length === 0 ? [] : await hub.submitEach(submitted, { source: 'local', announce: true });
  const errors = new Map(readable.map((one, index) => [one, errorOf(outcomes[index])]));
  return read.map((one) => {
    const error = 'envelope' in one ? errors.get(one) : undefined;
    return error === undefined || !('envelope' in one) ? one : refused(one.envelope.hash, error);
  });
};
