import { setTimeout as wait } from 'node:timers/promises';
import { createTransport, custom, fallback, type Transport } from 'viem';
import { AppError } from '../error.js';
import type { Endpoint, RpcBody } from './endpoint.js';
import type { Network } from './network.js';
import { EndpointFault } from './rpc-fault.js';

/** How long a call may take, in milliseconds. */
export interface Patience {
  /** With all retries: shorter than the 10 s of a request, which has other things to do too. */
  readonly total: number;
  /** For an endpoint that has others behind it. */
  readonly each: number;
  /** In total, for a while after a call that failed: who makes five calls must not wait five times. */
  readonly afterFailure: number;
}

export const PATIENCE: Patience = { total: 8000, each: 3000, afterFailure: 1500 };

/** As long as a request lasts that had to wait once. */
const AFTER_FAILURE_MS = 10_000;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 2000;
/** Rounds after which an error that every endpoint answers with is taken for the chain's. */
const MAX_ANSWERED_ROUNDS = 3;

const unavailable = (network: Network, cause: unknown): AppError => {
  const message = `The network ${network} does not answer at the moment. Try again shortly.`;
  return new AppError('internal', 'ChainUnavailable', message, { cause });
};

const wrongChain = (network: Network, cause: unknown): AppError => {
  const message = `No endpoint of the network ${network} is on its chain: its operator has to name others.`;
  return new AppError('internal', 'WrongChain', message, { cause });
};

/** An endpoint that ended so may have done what it was asked for. */
const DOUBTFUL: ReadonlySet<EndpointFault['outcome']> = new Set(['timeout', 'unreachable', 'faulty']);

/** Whether a call changes something, so that an endpoint's "no" says nothing of what another one did before. */
const isHandIn = ({ method }: RpcBody): boolean => method === 'eth_sendRawTransaction';

/** Endpoints in the order of trying: as configured, but those that failed just now last; without those that lie. */
const inOrder = (endpoints: readonly Endpoint[], now: number): readonly Endpoint[] => {
  const usable = endpoints.filter((one) => !one.isWrong);
  const isFresh = (one: Endpoint): boolean => one.asideUntil <= now;
  return [...usable.filter(isFresh), ...usable.filter((one) => !isFresh(one))];
};

/**
 * Makes the transport of one network: viem's fallback over its endpoints, repeated while there is time.
 * Its requests fail with viem's RPC errors where the chain answered, and with an AppError where no endpoint did. A
 * transaction that is handed in fails so too when an endpoint's answer was lost before another one said no: the cause
 * of the AppError is then what that one said.
 */
export const chainTransport = (
  network: Network,
  endpoints: readonly Endpoint[],
  { patience, signal }: { readonly patience: Patience; readonly signal: AbortSignal },
): Transport => {
  let failedAt = Number.NEGATIVE_INFINITY;

  /** Asks each endpoint once, until one is of use. */
  const round = (body: RpcBody, end: number, fell: (fault: EndpointFault) => void): Promise<unknown> => {
    const order = inOrder(endpoints, performance.now());
    if (order.length === 0) throw new EndpointFault('wrong_chain', `Every endpoint of ${network} is on another chain.`);
    const transports = order.map((endpoint, place) => {
      const request = (): Promise<unknown> => {
        const left = end - performance.now();
        const isLast = place === order.length - 1;
        const time = isLast ? left : Math.min(patience.each, left / (order.length - place));
        return endpoint.request(body, time).catch((error: unknown) => {
          if (error instanceof EndpointFault) fell(error);
          throw error;
        });
      };
      return custom({ request }, { retryCount: 0 });
    });
    const shouldThrow = (error: Error): boolean => !(error instanceof EndpointFault) || performance.now() >= end;
    return fallback(transports, { retryCount: 0, shouldThrow })({ retryCount: 0 }).request(body as never);
  };

  const request = async (body: RpcBody): Promise<unknown> => {
    const began = performance.now();
    const end = began + (began < failedAt + AFTER_FAILURE_MS ? patience.afterFailure : patience.total);
    let isDoubtful = false;
    const fell = ({ outcome }: EndpointFault): void => {
      isDoubtful ||= isHandIn(body) && DOUBTFUL.has(outcome);
    };
    for (let rounds = 1; ; rounds += 1) {
      try {
        const result = await round(body, end, fell);
        failedAt = Number.NEGATIVE_INFINITY;
        return result;
      } catch (error) {
        if (!(error instanceof EndpointFault)) throw isDoubtful ? unavailable(network, error) : error;
        const answer = error.answer ?? error;
        if (error.outcome === 'unsupported') throw isDoubtful ? unavailable(network, answer) : answer;
        if (error.outcome === 'faulty' && error.answer && rounds >= MAX_ANSWERED_ROUNDS) {
          throw isDoubtful ? unavailable(network, answer) : answer;
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
