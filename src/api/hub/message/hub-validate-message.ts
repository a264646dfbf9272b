import { messageToJson } from '../../../protocol/hub-json/message.js';
import { decodeMessage } from '../../../protocol/wire/decode.js';
import { decodeEnvelope } from '../../../protocol/wire/envelope.js';
import { HubMessage, HubValidateMessageResponse } from '../../../schema/hub/message.js';
import { octetStream, operation } from '../../http/operation.js';
import { createCheck } from '../../http/validation.js';
import { renderedJson } from '../rendered-json.js';
import { refusal } from './error.js';

const checkMessage = createCheck(HubMessage);

export const hubValidateMessage = operation({
  id: 'hub-validate-message',
  method: 'POST',
  path: '/v1/validateMessage',
  tags: ['Hub Message'],
  title: 'Validate a signed message',
  summary: 'Check a signed message in its binary form.',
  cost: { fixed: 5 },
  scope: 'read',
  body: octetStream,
  response: HubValidateMessageResponse,
  handle: async ({ body }, services) => {
    const message = decodeMessage(decodeEnvelope(body));
    const result = await services.hub.validate(body);
    if (!result.ok && result.reason === 'internal') throw refusal(result.reason, result.detail);
    const json = messageToJson(message);
    // What is no valid message may have values that no message has, and no response.
    if (!result.ok && checkMessage(structuredClone(json)) !== undefined) throw refusal(result.reason, result.detail);
    return renderedJson({ valid: result.ok, message: json });
  },
});
