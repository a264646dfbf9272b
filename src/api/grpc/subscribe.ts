import { once } from 'node:events';
import { type handleServerStreamingCall, Metadata, type ServerWritableStream } from '@grpc/grpc-js';
import { KEYLESS_CALLER } from '../../access/caller.js';
import type { SubscriberOutput } from '../../event/hub-stream/subscription.js';
import type { Services } from '../http/service.js';
import { requireShard } from '../hub/parameter.js';
import { addressOf, Call, createGuard } from './access.js';
import { createMetered } from './metered.js';
import { createObserve } from './observe.js';
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

/** @param isLogged whether each stream is a line of the log when it ends */
export const createSubscribeHandler = (
  services: Services,
  isLogged: boolean,
): handleServerStreamingCall<Buffer, Buffer> => {
  const observe = createObserve({ name: 'subscribe', operation: SUBSCRIBE }, services, isLogged);
  const { hubStreams } = services;
  const guard = createGuard(SUBSCRIBE, services);
  const metered = createMetered(services.meter, SUBSCRIBE);
  /** @returns who reads and what, once it is the turn of the call */
  const admit = async (stream: Stream, call: Call) => {
    const caller = await guard(call, stream.metadata, stream.getPeer());
    call.caller = caller;
    const isKeyless = caller === KEYLESS_CALLER;
    const reader = {
      keyId: isKeyless ? undefined : caller.keyId,
      subject: isKeyless ? `address ${addressOf(stream.getPeer())}` : caller.keyId,
    };
    return { caller, reader, ...decode(stream.request) };
  };
  const serve = async (stream: Stream, call: Call): Promise<void> => {
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
    const call = new Call();
    const ended = observe();
    serve(stream, call).then(
      () => ended({ caller: call.caller, isCut: stream.cancelled }),
      (thrown: unknown) => {
        const error = explain(thrown, services.log);
        stream.emit('error', error);
        ended({ caller: call.caller, error });
      },
    );
  };
};
