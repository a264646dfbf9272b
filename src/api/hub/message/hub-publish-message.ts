import { decodeEnvelope } from '../../../protocol/wire/envelope.js';
import type { Envelope } from '../../../protocol/wire/message.js';
import { HubMessage } from '../../../schema/hub/message.js';
import type { HubServices } from '../../http/hub-service.js';
import { octetStream, operation } from '../../http/operation.js';
import { refusalOf } from './error.js';
import { singleMessage } from './page.js';

/**
 * Stores a message, and sends it to the hub if there is one.
 * @param wire the bytes of a protobuf `Message`
 * @throws AppError with the hub's error code for a message that is not stored
 */
export const submitMessage = async (
  { hub }: { readonly hub: Pick<HubServices, 'submit'> },
  wire: Uint8Array,
): Promise<Envelope> => {
  const envelope = decodeEnvelope(wire);
  const report = await hub.submit([{ kind: 'message', wire }], { source: 'local', announce: true });
  const error = refusalOf(report.outcomes[0]);
  if (error !== undefined) throw error;
  return envelope;
};

export const hubPublishMessage = operation({
  id: 'hub-publish-message',
  method: 'POST',
  path: '/v1/submitMessage',
  tags: ['Hub Message'],
  title: 'Submit a signed message',
  summary: 'Submit a signed message in its binary form.',
  cost: { fixed: 100 },
  body: octetStream,
  response: HubMessage,
  handle: async ({ body }, services) => {
    const envelope = await submitMessage(services, body);
    return singleMessage(services.reads.open(), envelope);
  },
});
