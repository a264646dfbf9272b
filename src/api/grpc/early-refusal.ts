import {
  type Metadata,
  ResponderBuilder,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  ServerListenerBuilder,
} from '@grpc/grpc-js';
import { AppError } from '../../error.js';
import type { Services } from '../http/service.js';
import { type CalledOperation, isOpen, keyOfMetadata } from './access.js';
import { createObserve, type Observe } from './observe.js';
import { explain } from './status.js';

/** How long the message of a call may take to arrive, and the client to say that it was the last. */
const MESSAGE_MS = 10_000;

const noKey = new AppError('unauthorized', 'Unauthorized', 'Send your API key in the metadata x-api-key.');
const tooSlow = new AppError('too_slow', 'RequestTimeout', 'The message of the call did not arrive in time.');

/** A kind of call, with what answers it. */
export interface NamedOperation {
  readonly name: string;
  readonly operation: CalledOperation;
}

/**
 * Refuses calls as soon as their headers are there if they have no key that works, and ends those whose message does not
 * arrive: the library keeps the message of a call in memory before it calls a handler, and strangers must not fill it.
 * @param named by the path of a call; calls without an operation answer everybody
 * @param options `messageMs`: milliseconds in which the message of a call must arrive, ten seconds unless given;
 *   `isLogged`: whether each refusal is a line of the log
 */
export const createEarlyRefusal = (
  named: ReadonlyMap<string, NamedOperation>,
  services: Services,
  options: { readonly messageMs?: number | undefined; readonly isLogged: boolean },
): ServerInterceptor => {
  const { authenticator, log } = services;
  const { messageMs = MESSAGE_MS, isLogged } = options;
  const requireKey = async (metadata: Metadata): Promise<void> => {
    const key = keyOfMetadata(metadata);
    if (key === undefined) throw noKey;
    await authenticator.authenticate(key);
  };
  const known = new Map(
    [...named].map(([path, one]) => [
      path,
      { needsKey: !isOpen(one.operation, services), observe: createObserve(one, services, isLogged) },
    ]),
  );
  const listenerOf = (call: ServerInterceptingCallInterface, needsKey: boolean, observe: Observe | undefined) => {
    const ended = observe?.();
    const timer = setTimeout(() => refuse(tooSlow), messageMs).unref();
    const refuse = (thrown: unknown): void => {
      clearTimeout(timer);
      const error = explain(thrown, log);
      call.sendStatus(error);
      ended?.({ error });
    };
    return (
      new ServerListenerBuilder()
        .withOnReceiveMetadata((metadata, next) => {
          if (needsKey) requireKey(metadata).then(() => next(metadata), refuse);
          else next(metadata);
        })
        // The library calls the handler when the client has ended its side, not with the message.
        .withOnReceiveHalfClose((next) => {
          clearTimeout(timer);
          next();
        })
        .withOnCancel(() => clearTimeout(timer))
        .build()
    );
  };
  return ({ path }, call) => {
    const { needsKey = false, observe } = known.get(path) ?? {};
    const listener = listenerOf(call, needsKey, observe);
    return new ServerInterceptingCall(call, new ResponderBuilder().withStart((next) => next(listener)).build());
  };
};
