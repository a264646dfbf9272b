import type { handleUnaryCall } from '@grpc/grpc-js';
import type { Caller } from '../../access/caller.js';
import type { Services } from '../http/service.js';
import { Call, createGuard } from './access.js';
import { createMetered } from './metered.js';
import { createObserve } from './observe.js';
import { decodeRequest, type Rpc } from './rpc.js';
import { explain } from './status.js';

/** Bytes in both directions: requests are decoded here, so that a malformed one is the client's error. */
type Handler = handleUnaryCall<Buffer, Uint8Array>;

/** @returns what answers a call: `wire` is its request, and so is the result its response */
const createWork = (rpc: Rpc, services: Services) => {
  const { name, read, handle } = rpc;
  return async (request: unknown, wire: Buffer, caller: Caller): Promise<Uint8Array> => {
    if (read !== undefined) {
      const key = `${name} ${wire.toString('latin1')}`;
      return services.reads.answer(key, (context) => read(request, context, services), caller.keyId);
    }
    try {
      return (await handle?.(request, services, { wire, caller })) as Uint8Array;
    } finally {
      // The client may send its next call to another worker.
      await services.siblingsUpToDate?.();
    }
  };
};

/** @param isLogged whether each call is a line of the log */
export const createUnaryHandler = (rpc: Rpc, services: Services, isLogged: boolean): Handler => {
  const observe = createObserve(rpc, services, isLogged);
  const guard = createGuard(rpc.operation, services);
  const metered = createMetered(services.meter, rpc.operation);
  const work = createWork(rpc, services);
  const answer = async (call: Call, received: Parameters<Handler>[0]) => {
    const caller = await guard(call, received.metadata, received.getPeer());
    call.caller = caller;
    const wire = received.request;
    const request = decodeRequest(rpc.name, wire);
    return call.hold(() => metered(caller, wire, () => work(request, wire, caller)));
  };
  return (received, respond) => {
    const call = new Call();
    const ended = observe();
    received.once('cancelled', () => {
      call.close();
      ended({ caller: call.caller, isCut: true });
    });
    answer(call, received).then(
      (bytes) => {
        call.close();
        respond(null, bytes);
        ended({ caller: call.caller });
      },
      (thrown: unknown) => {
        call.close();
        const error = explain(thrown, services.log);
        respond(error);
        ended({ caller: call.caller, error });
      },
    );
  };
};
