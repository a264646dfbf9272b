import { ResponderBuilder, ServerInterceptingCall, type ServerInterceptor, ServerListenerBuilder } from '@grpc/grpc-js';
import { AppError } from '../../error.js';
import type { Services } from '../http/service.js';
import { type CalledOperation, isOpen, keyOfMetadata } from './access.js';
import { explain } from './status.js';

/**
 * Refuses calls without a key as soon as their headers are there: the library keeps the message of a call in memory before
 * it calls a handler, and strangers must not fill it.
 * @param operationOf by the path of a call; calls without an operation answer everybody
 */
export const createEarlyRefusal = (
  operationOf: ReadonlyMap<string, CalledOperation>,
  services: Services,
): ServerInterceptor => {
  const noKey = new AppError('unauthorized', 'Unauthorized', 'Send your API key in the metadata x-api-key.');
  return ({ path }, call) => {
    const operation = operationOf.get(path);
    if (operation === undefined || isOpen(operation, services)) return new ServerInterceptingCall(call);
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        if (keyOfMetadata(metadata) !== undefined) next(metadata);
        else call.sendStatus(explain(noKey, services.log));
      })
      .build();
    return new ServerInterceptingCall(call, new ResponderBuilder().withStart((next) => next(listener)).build());
  };
};
