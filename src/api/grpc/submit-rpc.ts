import { AppError } from '../../error.js';
import { sentMessage } from '../../protocol/wire/sent-message.js';
import { encodeByteString, encodeNumber } from '../../protocol/wire/wire.js';
import type { HubServices } from '../http/hub-service.js';
import {
  type RefusedBulkMessage,
  type StoredBulkMessage,
  splitBulk,
  submitBulk,
} from '../hub/message/bulk-submission.js';
import { refusal } from '../hub/message/error.js';
import { hubPublishMessage, submitMessage } from '../hub/message/hub-publish-message.js';
import { hubPublishMessages } from '../hub/message/hub-publish-messages.js';
import { hubValidateMessage } from '../hub/message/hub-validate-message.js';
import { type Rpc, rpc } from './rpc.js';

/** Fields of `ValidationResponse`, `SubmitBulkMessagesResponse`, `BulkMessageResponse` and `MessageError` (request_response.proto). */
const VALIDATION = { valid: 1, message: 2 } as const;
const BULK = { message: 1 } as const;
const BULK_MESSAGE = { message: 1, error: 2 } as const;
const ERROR = { hash: 1, code: 2, message: 3 } as const;

const errorBytes = ({ hash, errCode, message }: RefusedBulkMessage): Uint8Array =>
  Buffer.concat([
    encodeByteString(ERROR.hash, hash),
    encodeByteString(ERROR.code, Buffer.from(errCode)),
    encodeByteString(ERROR.message, Buffer.from(message)),
  ]);

const bulkAnswer = (result: StoredBulkMessage | RefusedBulkMessage): Uint8Array =>
  encodeByteString(
    BULK.message,
    'envelope' in result
      ? encodeByteString(BULK_MESSAGE.message, sentMessage(result.envelope))
      : encodeByteString(BULK_MESSAGE.error, errorBytes(result)),
  );

/**
 * A bad message is no error, as for hubs, not even one whose data cannot be read.
 * @throws AppError internal if the message could not be checked
 */
const isValid = async (hub: HubServices, wire: Uint8Array): Promise<boolean> => {
  try {
    const result = await hub.validate(wire);
    if (!result.ok && result.reason === 'internal') throw refusal(result.reason, result.detail);
    return result.ok;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'invalid') return false;
    throw error;
  }
};

/** The calls that take messages. What is stored are the bytes that came, not those of a message decoded from them. */
export const SUBMIT_RPCS: readonly Rpc[] = [
  rpc('submitMessage', hubPublishMessage, {
    handle: async (_, services, { wire }) => sentMessage(await submitMessage(services, wire)),
  }),
  rpc('submitBulkMessages', hubPublishMessages, {
    handle: async (_, services, { wire }) => {
      const results = await submitBulk(services, splitBulk(wire));
      return Buffer.concat(results.map(bulkAnswer));
    },
  }),
  rpc('validateMessage', hubValidateMessage, {
    handle: async (_, { hub }, { wire }) => {
      const valid = (await isValid(hub, wire)) ? [encodeNumber(VALIDATION.valid, 1)] : [];
      return Buffer.concat([...valid, encodeByteString(VALIDATION.message, wire)]);
    },
  }),
];
