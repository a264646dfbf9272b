import { HubServiceService } from '@farcaster/hub-nodejs';
import { Client, type ClientReadableStream, credentials, Metadata } from '@grpc/grpc-js';
import { handleParentMessages } from './child.js';

/** Who asks the service and its limit, in a separate process. */
export type RpcClientInput = { readonly address: string; readonly apiKey: string } & (
  | { readonly requests: readonly Uint8Array[]; readonly seconds: number; readonly atOnce: number }
  /** Reads so many events from the beginning of the log. */
  | { readonly events: number }
  /** Opens so many streams that nothing is sent to, and keeps them open. */
  | { readonly idle: number }
);

const { getCastsByFid, subscribe } = HubServiceService;
const asBytes = (bytes: Uint8Array): Buffer => Buffer.from(bytes);
const same = (bytes: Buffer): Buffer => bytes;
const idle: ClientReadableStream<Buffer>[] = [];

const pagesPerSecond = async (
  client: Client,
  metadata: Metadata,
  { requests, seconds, atOnce }: Extract<RpcClientInput, { readonly seconds: number }>,
): Promise<number> => {
  let [answered, next] = [0, 0];
  const until = performance.now() + 1000 * seconds;
  const ask = (): Promise<void> =>
    new Promise((done, fail) => {
      const request = requests[next++ % requests.length] as Uint8Array;
      client.makeUnaryRequest(getCastsByFid.path, asBytes, same, request, metadata, (error) =>
        error ? fail(error) : done(),
      );
    });
  const askAgain = async (): Promise<void> => {
    while (performance.now() < until) {
      await ask();
      answered++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, askAgain));
  return answered / seconds;
};

const eventsPerSecond = (client: Client, metadata: Metadata, events: number): Promise<number> =>
  new Promise((done) => {
    const began = performance.now();
    const request = { eventTypes: [1], fromId: 0 };
    const stream = client.makeServerStreamRequest(subscribe.path, subscribe.requestSerialize, same, request, metadata);
    let received = 0;
    stream.on('error', () => undefined);
    stream.on('data', () => {
      received++;
      if (received < events) return;
      stream.cancel();
      done((1000 * events) / (performance.now() - began));
    });
  });

const open = async (client: Client, metadata: Metadata): Promise<void> => {
  const request = { eventTypes: [1], fromId: undefined };
  const stream = client.makeServerStreamRequest(subscribe.path, subscribe.requestSerialize, same, request, metadata);
  stream.on('error', () => undefined).on('data', () => undefined);
  await new Promise((opened) => stream.once('metadata', opened));
  idle.push(stream);
};

handleParentMessages<RpcClientInput, number>(async (input) => {
  const client = new Client(input.address, credentials.createInsecure(), {
    'grpc.max_receive_message_length': 64 * 2 ** 20,
    'grpc.use_local_subchannel_pool': 1,
  });
  const metadata = new Metadata();
  metadata.set('x-api-key', input.apiKey);
  if ('idle' in input) {
    for (let opened = 0; opened < input.idle; opened += 50) {
      // A connection carries 100 calls at most.
      const other = new Client(input.address, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
      await Promise.all(Array.from({ length: 50 }, () => open(other, metadata)));
    }
    return idle.length;
  }
  const rate =
    'events' in input
      ? await eventsPerSecond(client, metadata, input.events)
      : await pagesPerSecond(client, metadata, input);
  client.close();
  return rate;
});

process.on('disconnect', () => process.exit());
