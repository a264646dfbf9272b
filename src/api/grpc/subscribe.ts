import { once } from 'node:events';
import { type handleServerStreamingCall, Metadata, type ServerWritableStream } from '@grpc/grpc-js';
import { KEYLESS_CALLER } from '../../access/caller.js';
import type { SubscriberOutput } from '../../event/hub-stream/subscription.js';
import type { Services } from '../http/service.js';
import { requireShard } from '../hub/parameter.js';
import { addressOf, Call, createGuard } from './access.js';
import { createMetered } from './metered.js';
import { decodeRequest, ownCall } from './rpc.js';
import { explain } from './status.js';

type Stream = ServerWritableStream<Buffer, Buffer>;

/** A reader that comes back after a while has its history read. */
export const SUBSCRIBE = ownCall('hub-subscribe', 100);

const outputOf = (stream: Stream): SubscriberOutput => {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  stream.once('cancelled', leave).once('close', leave).once('finish', leave);
  return {
    gone: leaving.signal,
    write: (bytes) => stream.write(bytes),
    drained: async () => {
      // Rejects when the reader is gone, which `gone` says.
      if (stream.writableNeedDrain) await once(stream, 'drain', { signal: leaving.signal }).catch(() => undefined);
    },
  };
};

/** @throws AppError invalid for a request that cannot be read, and for a shard that is not here */
const decode = (wire: Buffer) => {
  const { shardIndex, fromId, eventTypes } = decodeRequest('subscribe', wire);
  requireShard(shardIndex, 'shard_index', 'Invalid shard id');
  return { fromId, types: new Set<number>(eventTypes) };
};

export const createSubscribeHandler = (services: Services): handleServerStreamingCall<Buffer, Buffer> => {
  const { hubStreams } = services;
  const guard = createGuard(SUBSCRIBE, services);
  const metered = createMetered(services.meter, SUBSCRIBE);
  /** @returns who reads and what, once it is the turn of the call */
  const admit = async (stream: Stream, call: Call) => {
    const caller = await guard(call, stream.metadata, stream.getPeer());
    const isKeyless = caller === KEYLESS_CALLER;
    const reader = {
      keyId: isKeyless ? undefined : caller.keyId,
      subject: isKeyless ? `address ${addressOf(stream.getPeer())}` : caller.keyId,
    };
    return { caller, reader, ...decode(stream.request) };
  };
  const serve = async (stream: Stream): Promise<void> => {
    const call = new Call();
    const output = outputOf(stream);
    output.gone.addEventListener('abort', () => call.close(), { once: true });
    const { caller, reader, fromId, types } = await admit(stream, call);
    const leave = hubStreams.enter(reader);
    try {
      const find = () => hubStreams.findPosition({ fromId });
      const position = await call.hold(() => metered(caller, stream.request, find));
      // The stream waits for nobody else while it is open.
      call.close();
      // Opens the stream for clients that wait for its headers.
      stream.sendMetadata(new Metadata());
      await hubStreams.run({ ...reader, types, position }, output);
    } finally {
      call.close();
      leave();
    }
  };
  return (stream) => {
    serve(stream).catch((thrown: unknown) => stream.emit('error', explain(thrown, services.log)));
  };
};
