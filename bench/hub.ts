import { once } from 'node:events';
import { HubEvent, HubEventType, HubServiceService, type SubscribeRequest } from '@farcaster/hub-nodejs';
import { Server, ServerCredentials, type ServerWritableStream, type UntypedServiceImplementation } from '@grpc/grpc-js';
import type { IngestItem } from '../src/ingest/item.js';
import { encodeByteString } from '../src/protocol/wire/wire.js';
import { handleParentMessages } from './child.js';
import { openNetwork } from './network.js';

/** A hub over gRPC, in a separate process: it has no accounts to compare, and streams a network once it is told to. */
export interface HubInput {
  readonly scale: number;
  /** Whether to stream the network now; resolves when all of it was sent. */
  readonly stream: boolean;
}

export interface HubResult {
  readonly port: number;
  /** Id of the last event, and number of messages among the events; 0 before they were streamed. */
  readonly lastId: number;
  readonly messages: number;
}

const SHARD = 1;
const BATCH = 5_000;
/** As in snapchain: the block height is in the high bits of an event's id, the index in the block in the low 14. */
const IDS_PER_BLOCK = 2 ** 14;

type EventCall = ServerWritableStream<SubscribeRequest, Buffer>;

let subscribed: (call: EventCall) => void;
const subscriber = new Promise<EventCall>((done) => {
  subscribed = done;
});

const eventOf = (item: IngestItem, id: number): Buffer => {
  const common = { id, blockNumber: Math.floor(id / IDS_PER_BLOCK), shardIndex: SHARD, timestamp: 0 };
  if (item.kind === 'message') {
    const head = HubEvent.encode({ ...common, type: HubEventType.MERGE_MESSAGE }).finish();
    // Field 3 is merge_message_body, whose field 1 is the message.
    return Buffer.concat([head, encodeByteString(3, encodeByteString(1, item.wire))]);
  }
  if (item.kind === 'onchain') {
    const mergeOnChainEventBody = { onChainEvent: item.event };
    return Buffer.from(
      HubEvent.encode({ ...common, type: HubEventType.MERGE_ON_CHAIN_EVENT, mergeOnChainEventBody }).finish(),
    );
  }
  if (item.kind !== 'proof') throw new Error(`The network has an item of the kind ${item.kind}.`);
  const mergeUsernameProofBody = { usernameProof: item.proof } as HubEvent['mergeUsernameProofBody'];
  return Buffer.from(
    HubEvent.encode({ ...common, type: HubEventType.MERGE_USERNAME_PROOF, mergeUsernameProofBody }).finish(),
  );
};

const shard = {
  numMessages: 0,
  numFidRegistrations: 0,
  approxSize: 0,
  blockDelay: 0,
  mempoolSize: 0,
  numOnchainEvents: 0,
};

type Respond = (error: null, answer: unknown) => void;

const server = new Server();
server.addService(
  { ...HubServiceService, subscribe: { ...HubServiceService.subscribe, responseSerialize: (bytes: Buffer) => bytes } },
  {
    getInfo: (_: unknown, respond: Respond) =>
      respond(null, {
        version: 'bench',
        peerId: '',
        numShards: 1,
        nextEngineVersionTimestamp: 0,
        shardInfos: [{ ...shard, shardId: SHARD, maxHeight: 0 }],
      }),
    getFids: (_: unknown, respond: Respond) => respond(null, { fids: [] }),
    subscribe: (call: EventCall) => subscribed(call),
  } as unknown as UntypedServiceImplementation,
);
const listening = new Promise<number>((done, fail) => {
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
    error ? fail(error) : done(port),
  );
});

// The parent ends this process by closing the channel; the server would keep it alive.
process.once('disconnect', () => server.forceShutdown());

handleParentMessages<HubInput, HubResult>(async ({ scale, stream }) => {
  const port = await listening;
  if (!stream) return { port, lastId: 0, messages: 0 };
  const call = await subscriber;
  const network = await openNetwork({ scale });
  let [lastId, messages] = [IDS_PER_BLOCK, 0];
  for await (const items of network.batches(BATCH)) {
    for (const item of items) {
      if (item.kind === 'message') messages++;
      if (!call.write(eventOf(item, ++lastId))) await once(call, 'drain');
    }
  }
  return { port, lastId, messages };
});
