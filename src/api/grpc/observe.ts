import { type ServiceError, status } from '@grpc/grpc-js';
import type { Caller } from '../../access/caller.js';
import type { Services } from '../http/service.js';
import type { CalledOperation } from './access.js';

/** What is known of a call when it ends. */
export interface EndedCall {
  readonly caller?: Caller | undefined;
  /** What the client received; undefined: the response of the call. */
  readonly error?: Pick<ServiceError, 'code' | 'metadata'> | undefined;
  /** The client left before. */
  readonly isCut?: boolean;
}

/** Begins one call. @returns a function to be called when it ends, of whose calls the first counts */
export type Observe = () => (ended: EndedCall) => void;

/**
 * @param name of the call: `getCast`
 * @param isLogged whether each call is a line of the log, as requests over HTTP are with CASTELLAN_ACCESS_LOG
 * @returns what measures a call, by its gRPC status, and logs it
 */
export const createObserve = (
  { name, operation }: { readonly name: string; readonly operation: CalledOperation },
  { metrics, log }: Pick<Services, 'metrics' | 'log'>,
  isLogged: boolean,
): Observe => {
  // Whoever asks for these lines gets them at every level.
  const lines = isLogged ? log.child({}, { level: 'info' }) : undefined;
  return () => {
    const startedAt = performance.now();
    let hasEnded = false;
    return ({ caller, error, isCut = false }) => {
      if (hasEnded) return;
      hasEnded = true;
      const ms = performance.now() - startedAt;
      const code = status[isCut ? status.CANCELLED : (error?.code ?? status.OK)];
      metrics.grpcSeconds.observe({ call: name, code }, ms / 1000);
      const [requestId] = error?.metadata.get('x-request-id') ?? [];
      lines?.info(
        {
          ...(requestId !== undefined && { requestId }),
          ...(caller && { keyId: caller.keyId }),
          method: 'gRPC',
          call: name,
          operation: operation.id,
          status: code,
          ms: Math.round(ms * 10) / 10,
        },
        'request',
      );
    };
  };
};
