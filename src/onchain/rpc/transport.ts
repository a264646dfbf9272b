import { setTimeout as wait } from 'node:timers/promises';
import { createTransport, custom, fallback, type Transport } from 'viem';
import { AppError } from '../../error.js';
import type { Network } from '../network.js';
import type { Endpoint, RpcBody } from './endpoint.js';
import { EndpointError } from './error.js';

/** Timeouts of a call, in milliseconds. */
export interface CallTimeouts {
  /** For the call with all retries. Shorter than the 10 s of a request, which has other work to do. */
  readonly total: number;
  /** For an endpoint that is followed by others. */
  readonly each: number;
  /** Replaces `total` for a while after a failed call, so that a request with five calls does not wait five times. */
  readonly afterFailure: number;
}

export const CALL_TIMEOUTS: CallTimeouts = { total: 8000, each: 3000, afterFailure: 1500 };

/** How long `afterFailure` applies: the rest of a request that has waited once for the full timeout. */
const AFTER_FAILURE_MS = 10_000;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 2000;
/** Rounds after which an error that all endpoints respond with is attributed to the chain. */
const MAX_ERROR_ROUNDS = 3;

const unavailable = (network: Network, cause: unknown): AppError => {
  const message = `The network ${network} does not answer at the moment. Try again shortly.`;
  return new AppError('internal', 'ChainUnavailable', message, { cause });
};

const wrongChain = (network: Network, cause: unknown): AppError => {
  const message = `No endpoint of the network ${network} is on its chain: its operator has to name others.`;
  return new AppError('internal', 'WrongChain', message, { cause });
};

/** After these outcomes the endpoint may have executed the request. */
const UNCERTAIN: ReadonlySet<EndpointError['outcome']> = new Set(['timeout', 'unreachable', 'faulty']);

/**
 * @returns whether a call changes state, so that a rejection by one endpoint does not undo its acceptance by another
 */
const isBroadcast = ({ method }: RpcBody): boolean => method === 'eth_sendRawTransaction';

/** Endpoints in the configured order, but those in cooldown last, and without those on another chain. */
const inOrder = (endpoints: readonly Endpoint[], now: number): readonly Endpoint[] => {
  const usable = endpoints.filter((one) => !one.isWrong);
  const isFresh = (one: Endpoint): boolean => one.cooldownUntil <= now;
  return [...usable.filter(isFresh), ...usable.filter((one) => !isFresh(one))];
};

/**
 * Creates the transport of one network: viem's fallback over its endpoints, repeated until the timeout. It throws
 * viem's RPC errors for what the chain responded, and an AppError if no endpoint responded. A broadcast also fails with
 * an AppError if the response of one endpoint was lost and another one then rejected it; that rejection is the cause.
 */
export const chainTransport = (
  network: Network,
  endpoints: readonly Endpoint[],
  { timeouts, signal }: { readonly timeouts: CallTimeouts; readonly signal: AbortSignal },
): Transport => {
  let failedAt = Number.NEGATIVE_INFINITY;

  /** Tries each endpoint once, in order, until one responds. */
  const round = (body: RpcBody, end: number, onEndpointError: (error: EndpointError) => void): Promise<unknown> => {
    const order = inOrder(endpoints, performance.now());
    if (order.length === 0) throw new EndpointError('wrong_chain', `Every endpoint of ${network} is on another chain.`);
    const transports = order.map((endpoint, index) => {
      const request = (): Promise<unknown> => {
        const left = end - performance.now();
        const isLast = index === order.length - 1;
        const time = isLast ? left : Math.min(timeouts.each, left / (order.length - index));
        return endpoint.request(body, time).catch((error: unknown) => {
          if (error instanceof EndpointError) onEndpointError(error);
          throw error;
        });
      };
      return custom({ request }, { retryCount: 0 });
    });
    const shouldThrow = (error: Error): boolean => !(error instanceof EndpointError) || performance.now() >= end;
    return fallback(transports, { retryCount: 0, shouldThrow })({ retryCount: 0 }).request(body as never);
  };

  const request = async (body: RpcBody): Promise<unknown> => {
    const began = performance.now();
    const end = began + (began < failedAt + AFTER_FAILURE_MS ? timeouts.afterFailure : timeouts.total);
    let isOutcomeUncertain = false;
    const onEndpointError = ({ outcome }: EndpointError): void => {
      isOutcomeUncertain ||= isBroadcast(body) && UNCERTAIN.has(outcome);
    };
    for (let rounds = 1; ; rounds += 1) {
      try {
        const result = await round(body, end, onEndpointError);
        failedAt = Number.NEGATIVE_INFINITY;
        return result;
      } catch (error) {
        if (!(error instanceof EndpointError)) throw isOutcomeUncertain ? unavailable(network, error) : error;
        const rpcError = error.rpcError ?? error;
        if (error.outcome === 'unsupported') throw isOutcomeUncertain ? unavailable(network, rpcError) : rpcError;
        if (error.outcome === 'too_large') throw unavailable(network, error);
        if (error.outcome === 'faulty' && error.rpcError && rounds >= MAX_ERROR_ROUNDS) {
          throw isOutcomeUncertain ? unavailable(network, rpcError) : rpcError;
        }
        if (endpoints.every((one) => one.isWrong)) throw wrongChain(network, error);
        const pause = Math.max(error.retryAfter ?? 0, Math.min(FIRST_PAUSE_MS * 2 ** (rounds - 1), MAX_PAUSE_MS));
        if (performance.now() + pause >= end || signal.aborted) {
          failedAt = performance.now();
          throw unavailable(network, error);
        }
        await wait(pause, undefined, { signal }).catch(() => undefined);
      }
    }
  };

  return () =>
    createTransport({ key: network, name: network, type: 'chain', request: request as never, retryCount: 0 });
};
