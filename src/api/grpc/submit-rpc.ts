import { sentMessage } from '../../protocol/wire/sent-message.js';
import { encodeByteString, encodeNumber } from '../../protocol/wire/wire.js';
import { refusal } from '../hub/message/error.js';
import { hubPublishMessage, submitMessage } from '../hub/message/hub-publish-message.js';
import { hubValidateMessage } from '../hub/message/hub-validate-message.js';
import { type Rpc, rpc } from './rpc.js';

/** Fields of the protobuf `ValidationResponse` (protocol document, request_response.proto). */
const FIELD = { valid: 1, message: 2 } as const;

/** The calls that take messages. What is stored are the bytes that came, not those of a message decoded from them. */
export const SUBMIT_RPCS: readonly Rpc[] = [
  rpc('submitMessage', hubPublishMessage, {
    handle: async (_, services, { wire }) => sentMessage(await submitMessage(services, wire)),
  }),
  rpc('validateMessage', hubValidateMessage, {
    handle: async (_, { hub }, { wire }) => {
      const result = await hub.validate(wire);
      if (!result.ok && result.reason === 'internal') throw refusal(result.reason, result.detail);
      const parts = [encodeByteString(FIELD.message, wire)];
      if (result.ok) parts.unshift(encodeNumber(FIELD.valid, 1));
      return Buffer.concat(parts);
    },
  }),
];
