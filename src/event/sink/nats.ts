import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { EventSinkAddress } from '../../config/event-sink.js';
import type { Broker, BrokerConnection, BrokerMessage } from './broker.js';
import { explain, openStream, REPLY_MS } from './nats-stream.js';

/** The server's limit counts the headers of a message, too: less than this. */
const HEADER_BYTES = 1_024;

const createConnection = (nats: NatsConnection, { stream }: EventSinkAddress): BrokerConnection => {
  const client = jetstream(nats, { timeout: REPLY_MS });
  const publish = async (
    { id, type, fid, body }: BrokerMessage,
    previous: BrokerMessage | undefined,
  ): Promise<void> => {
    // The server takes a message only directly after the one before it: if that failed, this one fails, too.
    const expect = { streamName: stream, ...(previous !== undefined && { lastMsgID: previous.id }) };
    await client.publish(`${stream}.event.${type}.${fid}`, body, { msgID: id, expect });
  };
  return {
    maxBodyBytes: (nats.info?.max_payload ?? 0) - HEADER_BYTES,
    ended: nats.closed().then(() => undefined),
    send: async (messages) => {
      const sent = await Promise.allSettled(messages.map((message, index) => publish(message, messages[index - 1])));
      const confirmed = sent.findIndex(({ status }) => status === 'rejected');
      if (confirmed === -1) return { confirmed: messages.length };
      return { confirmed, failure: explain((sent[confirmed] as PromiseRejectedResult).reason, stream) };
    },
    close: () => nats.close(),
  };
};

/**
 * A stream of NATS JetStream: each event is a message with the subject `<stream>.event.<type>.<fid>`.
 * @param retentionDays how long a stream that is made keeps messages
 */
export const createNatsBroker = (address: EventSinkAddress, retentionDays: number): Broker => ({
  connect: async (signal) => createConnection(await openStream(address, signal, retentionDays), address),
});
