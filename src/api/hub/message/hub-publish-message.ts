import { AppError } from '../../../error.js';
import type { IngestOutcome } from '../../../ingest/ingest-outcome.js';
import { decodeEnvelope } from '../../../protocol/wire/envelope.js';
import type { Envelope } from '../../../protocol/wire/message.js';
import { HubMessage } from '../../../schema/hub/message.js';
import type { HubServices } from '../../http/hub-service.js';
import { octetStream, operation } from '../../http/operation.js';
import { refusal } from './error.js';
import { singleMessage } from './page.js';

const REFUSED = {
  known: ['bad_request.duplicate', 'The message is stored already.'],
  superseded: ['bad_request.conflict', 'A stored message about the same thing is later, or removes it.'],
  ignored: ['bad_request.unknown_fid', 'This service indexes chosen accounts only, and not this one.'],
} as const;

/** @throws AppError with the hub's error code unless the message is stored */
const throwUnlessStored = (outcome: IngestOutcome | undefined): void => {
  if (outcome?.status === 'invalid') throw refusal(outcome.reason, outcome.detail);
  if (outcome?.status !== 'known' && outcome?.status !== 'superseded' && outcome?.status !== 'ignored') return;
  const [hubCode, message] = REFUSED[outcome.status];
  throw new AppError('invalid', 'InvalidMessage', message, { hubCode });
};

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
  throwUnlessStored(report.outcomes[0]);
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
