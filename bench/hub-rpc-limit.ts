import { HubServiceService } from '@farcaster/hub-nodejs';
import { Client, credentials, Metadata, Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js';
import { handleParentMessages } from './child.js';

/** Upper limit of a gRPC server in Node: it sends prepared bytes, in a separate process. */
export interface RpcLimitInput {
  /** The service whose responses it copies. */
  readonly address: string;
  readonly apiKey: string;
  /** Requests of `GetCastsByFid`. */
  readonly requests: readonly Uint8Array[];
}

const { getCastsByFid, subscribe } = HubServiceService;
const asBytes = (bytes: Uint8Array): Buffer => Buffer.from(bytes);
const same = (bytes: Buffer): Buffer => bytes;

const copyPages = async (client: Client, metadata: Metadata, requests: readonly Uint8Array[]) => {
  const pages = new Map<string, Buffer>();
  for (const request of requests) {
    const page = await new Promise<Buffer>((done, fail) =>
      client.makeUnaryRequest(getCastsByFid.path, asBytes, same, request, metadata, (error, bytes) =>
        bytes === undefined ? fail(error) : done(bytes),
      ),
    );
    pages.set(Buffer.from(request).toString('latin1'), page);
  }
  return pages;
};

/** @returns the events of the log, up to a moment without any */
const copyEvents = (client: Client, metadata: Metadata): Promise<Buffer[]> =>
  new Promise((done) => {
    const events: Buffer[] = [];
    const request = { eventTypes: [1], fromId: 0 };
    const stream = client.makeServerStreamRequest(subscribe.path, subscribe.requestSerialize, same, request, metadata);
    stream.on('error', () => undefined);
    const quiet = setTimeout(() => {
      stream.cancel();
      done(events);
    }, 2_000);
    stream.on('data', (bytes: Buffer) => {
      events.push(bytes);
      quiet.refresh();
    });
  });

handleParentMessages<RpcLimitInput, { readonly address: string; readonly events: number }>(async (input) => {
  const client = new Client(input.address, credentials.createInsecure(), {
    'grpc.max_receive_message_length': 64 * 2 ** 20,
  });
  const metadata = new Metadata();
  metadata.set('x-api-key', input.apiKey);
  const pages = await copyPages(client, metadata, input.requests);
  const events = await copyEvents(client, metadata);
  client.close();
  const server = new Server();
  const bytes = { requestDeserialize: same, responseSerialize: same };
  server.addService(
    {
      getCastsByFid: { ...getCastsByFid, ...bytes },
      subscribe: { ...subscribe, ...bytes },
    } as unknown as ServiceDefinition,
    {
      getCastsByFid: (call: { request: Buffer }, respond: (error: null, page?: Buffer) => void) =>
        respond(null, pages.get(call.request.toString('latin1'))),
      subscribe: async (stream: NodeJS.WritableStream) => {
        for (const event of events)
          if (!stream.write(event)) await new Promise((drained) => stream.once('drain', drained));
      },
    },
  );
  const port = await new Promise<number>((done, fail) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? done(bound) : fail(error),
    ),
  );
  return { address: `127.0.0.1:${port}`, events: events.length };
});

process.on('disconnect', () => process.exit());
