import { type Address, BaseError, type Hex, isHex, numberToHex } from 'viem';
import { cleanText } from '../../clean-text.js';
import { AppError } from '../../error.js';
import type { ChainClient } from '../network.js';
import { isQuantity } from '../rpc/result.js';
import { MAX_REASON_CHARACTERS, OUT_OF_GAS, readErrorCode } from './mint-revert.js';
import { simulateEach } from './sequential-simulation.js';
import { type Simulated, type SimulatedCall, UNLIMITED_BALANCE } from './simulated-call.js';

/** EIP-1474: method not found, method not supported. */
const UNSUPPORTED: ReadonlySet<unknown> = new Set([-32_601, -32_004]);

interface CallResult {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly returnData: Hex;
  readonly error?: { readonly message?: unknown; readonly data?: unknown };
}

const isUnsupported = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((one) => UNSUPPORTED.has((one as { code?: unknown }).code)) !== null;

/**
 * A call passes on at most 63/64 of its gas (EIP-150), so a call that failed with more than 1/32 left did not run out.
 */
const hasRunOut = (used: bigint, limit: bigint): boolean => used >= limit - limit / 32n;

const readResult = ({ status, gasUsed, returnData, error }: CallResult, { gas }: SimulatedCall): Simulated => {
  if (BigInt(status) === 1n) return { gas: BigInt(gasUsed) };
  if (hasRunOut(BigInt(gasUsed), gas)) return { rejection: OUT_OF_GAS };
  const data = isHex(error?.data) ? error.data : returnData;
  const words =
    typeof error?.message === 'string'
      ? cleanText(error.message.slice(0, 2 * MAX_REASON_CHARACTERS), MAX_REASON_CHARACTERS)
      : '';
  if (/out of gas/i.test(words)) return { rejection: OUT_OF_GAS };
  const isSilent = data === '0x' && words !== '' && !/revert|execution failed/i.test(words);
  return isSilent
    ? { rejection: { name: 'Failed', reason: `It would fail: ${words}.` } }
    : { rejection: readErrorCode(data) };
};

const isResult = (one: unknown): one is CallResult => {
  const { status, gasUsed, returnData } = (one ?? {}) as Partial<Record<keyof CallResult, unknown>>;
  return isQuantity(status) && isQuantity(gasUsed) && isHex(returnData);
};

/** @throws AppError if the endpoint did not return one result for each call */
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
 * Simulates calls one after another on top of the latest block with one request (eth_simulateV1). Each call sees the
 * state after the previous ones, so they share a supply or a limit as they will on the chain. The balance of the sender
 * is not checked. A call that exceeds its gas limit fails without affecting the others. Endpoints without that method
 * are handled by sequential-simulation.ts.
 * @param time Unix seconds of the simulated block, later than the latest block
 * @returns the results in the order of the calls
 * @throws what the client throws if the chain does not respond; AppError for an invalid response
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
            stateOverrides: { [from]: { balance: numberToHex(UNLIMITED_BALANCE) } },
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
