import { conflictKey, MessageSet } from '../../protocol/conflict.js';
import { decodeMessage } from '../../protocol/decode.js';
import { decodeEnvelope } from '../../protocol/envelope.js';
import { messageToJson } from '../../protocol/hub-json-message.js';
import type { ProtocolMessage } from '../../protocol/message.js';
import { HubValidateMessageResponse } from '../../schema/hub-message.js';
import { selectSignerKeys } from '../../store/signer-key.js';
import { octetStream, operation } from '../operation.js';
import type { Services } from '../service.js';
import { refusal } from './refusal.js';
import { renderedJson } from './rendered-json.js';

/** Messages about keys carry the authority of the custody address; all others need a key that may sign. */
const maySign = async ({ db }: Services, message: ProtocolMessage): Promise<boolean> => {
  if (conflictKey(message).set === MessageSet.key) return true;
  const [key] = await selectSignerKeys(db, [{ fid: message.fid, key: message.envelope.signer }]);
  return key?.active ?? false;
};

export const hubValidateMessage = operation({
  id: 'hub-validate-message',
  method: 'POST',
  path: '/v1/validateMessage',
  tags: ['Hub Message'],
  summary: 'Check a signed message in its binary form.',
  family: 'hub',
  scope: 'read',
  body: octetStream,
  response: HubValidateMessageResponse,
  errors: [400],
  handle: async ({ body }, services) => {
    const message = decodeMessage(decodeEnvelope(body));
    const [verdict] = await services.hub.verify([body]);
    if (verdict?.ok === false && verdict.reason === 'internal') throw refusal(verdict.reason, verdict.detail);
    const valid = verdict?.ok === true && (await maySign(services, message));
    return renderedJson({ valid, message: messageToJson(message) });
  },
});
