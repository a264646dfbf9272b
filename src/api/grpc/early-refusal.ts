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
import { explain } from './status.js';

/** How long the message of a call may take to arrive. */
const MESSAGE_MS = 10_000;

const noKey = new AppError('unauthorized', 'Unauthorized', 'Send your API key in the metadata x-api-key.');
const tooSlow = new AppError('too_slow', 'RequestTimeout', 'The message of the call did not arrive in time.');

/**
 * Refuses calls as soon as their headers are there if they have no key that works, and ends those whose message does not
 * arrive: the library keeps the message of a call in memory before it calls a handler, and strangers must not fill it.
 * @param operationOf by the path of a call; calls without an operation answer everybody
 * @param messageMs milliseconds in which the message of a call must arrive; ten seconds unless given
 */
export const createEarlyRefusal = (
  operationOf: ReadonlyMap<string, CalledOperation>,
  services: Services,
  messageMs = MESSAGE_MS,
): ServerInterceptor => {
  const { authenticator, log } = services;
  const requireKey = async (metadata: Metadata): Promise<void> => {
    const key = keyOfMetadata(metadata);
    if (key === undefined) throw noKey;
    await authenticator.authenticate(key);
  };
  const listenerOf = (call: ServerInterceptingCallInterface, needsKey: boolean) => {
    const timer = setTimeout(() => refuse(tooSlow), messageMs).unref();
    const refuse = (error: unknown): void => {
      clearTimeout(timer);
      call.sendStatus(explain(error, log));
    };
    return new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        if (needsKey) requireKey(metadata).then(() => next(metadata), refuse);
        else next(metadata);
      })
      .withOnReceiveMessage((message, next) => {
        clearTimeout(timer);
        next(message);
      })
      .withOnCancel(() => clearTimeout(timer))
      .build();
  };
  return ({ path }, call) => {
    const operation = operationOf.get(path);
    const needsKey = operation !== undefined && !isOpen(operation, services);
    const listener = listenerOf(call, needsKey);
    return new ServerInterceptingCall(call, new ResponderBuilder().withStart((next) => next(listener)).build());
  };
};
