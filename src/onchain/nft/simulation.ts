import { type Address, BaseError, type Hex, isHex, numberToHex } from 'viem';
import { AppError } from '../../error.js';
import { OUT_OF_GAS, type Refusal, readRefusal } from './mint-revert.js';
import type { ChainClient } from '../network.js';
import { simulateEach } from './sequential-simulation.js';
import { ENDLESS } from './simulation-revert.js';
import { cleanText } from '../text.js';

/** A call as it would be sent. */
export interface SimulatedCall {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** The most that it may take: whoever is called could spend what the others need. */
  readonly gas: bigint;
}

/** Gas that the call takes, or why it would fail. */
export type Simulated = { readonly gas: bigint } | { readonly refusal: Refusal };

/** EIP-1474: method not found, method not supported. */
const UNSUPPORTED: ReadonlySet<unknown> = new Set([-32_601, -32_004]);

/** Longest text of a node that is shown, in characters. */
const MAX_WORDS = 200;

interface CallResult {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly returnData: Hex;
  readonly error?: { readonly message?: unknown; readonly data?: unknown };
}

const isUnsupported = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((one) => UNSUPPORTED.has((one as { code?: unknown }).code)) !== null;

/** A call keeps a 64th of its gas from whom it calls (EIP-150): with twice that left, its gas was not what it lacked. */
const hasRunOut = (used: bigint, limit: bigint): boolean => used >= limit - limit / 32n;

const readResult = ({ status, gasUsed, returnData, error }: CallResult, { gas }: SimulatedCall): Simulated => {
  if (BigInt(status) === 1n) return { gas: BigInt(gasUsed) };
  if (hasRunOut(BigInt(gasUsed), gas)) return { refusal: OUT_OF_GAS };
  const data = isHex(error?.data) ? error.data : returnData;
  const words = typeof error?.message === 'string' ? cleanText(error.message.slice(0, 2 * MAX_WORDS), MAX_WORDS) : '';
  if (/out of gas/i.test(words)) return { refusal: OUT_OF_GAS };
  const isSilent = data === '0x' && words !== '' && !/revert|execution failed/i.test(words);
  return isSilent
    ? { refusal: { name: 'Failed', reason: `It would fail: ${words}.` } }
    : { refusal: readRefusal(data) };
};

const isResult = (one: unknown): one is CallResult => {
  const { status, gasUsed, returnData } = (one ?? {}) as Partial<Record<keyof CallResult, unknown>>;
  return isHex(status) && isHex(gasUsed) && isHex(returnData);
};

/** @throws AppError where an endpoint answered with something else than a result for each call. */
const readResults = (answer: unknown, calls: readonly SimulatedCall[]): Simulated[] => {
  const blocks: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const results = blocks.flatMap((block): unknown => (block as { calls?: unknown } | null)?.calls ?? []);
  if (results.length !== calls.length || !results.every(isResult)) {
    const message = 'The network answers a simulation with something else at the moment. Try again shortly.';
    throw new AppError('internal', 'ChainUnavailable', message);
  }
  return results.map((result, index) => readResult(result, calls[index] as SimulatedCall));
};

/**
 * Runs calls one after another on top of the latest block, in thought (eth_simulateV1, one request): each sees what
 * those before it did, so a supply or a limit is shared among them as it will be on the chain. The sender's balance
 * plays no part. A call that needs more gas than it may take fails for itself alone. Endpoints without that method are asked in other ways (simulation-each.ts).
 *
 * @param time Unix seconds of the block, later than the latest one's
 * @returns for each call, in order, what became of it
 * @throws what the client throws when the chain does not answer, AppError where it answers with something else
 */
export const simulateCalls = async (
  client: ChainClient,
  from: Address,
  calls: readonly SimulatedCall[],
  time: bigint,
): Promise<readonly Simulated[]> => {
  const request = {
    method: 'eth_simulateV1',
    params: [
      {
        blockStateCalls: [
          {
            blockOverrides: { time: numberToHex(time) },
            stateOverrides: { [from]: { balance: numberToHex(ENDLESS) } },
            calls: calls.map(({ to, data, value, gas }) => ({
              from,
              to,
              data,
              value: numberToHex(value),
              gas: numberToHex(gas),
            })),
          },
        ],
        validation: false,
      },
      'latest',
    ],
  };
  try {
    return readResults(await client.request(request as never), calls);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    return simulateEach(client, from, calls);
  }
};
