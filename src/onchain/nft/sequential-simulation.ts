import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { AppError } from '../../error.js';
import { OUT_OF_GAS, readRefusal } from './mint-revert.js';
import { type ChainClient, MULTICALL3 } from '../network.js';
import type { Simulated, SimulatedCall } from './simulation.js';
import { ENDLESS, isOutOfGas, revertOf } from './simulation-revert.js';

const abi = parseAbi([
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
]);

/**
 * @returns what each call reverts with after those before it, undefined where it does not; undefined without Multicall3,
 *   and where somebody who is called takes all gas, or leaves no answer
 */
const runInOrder = async (
  client: ChainClient,
  from: Address,
  calls: readonly SimulatedCall[],
): Promise<readonly (Hex | undefined)[] | undefined> => {
  const list = calls.map(({ to, data, value }) => ({ target: to, allowFailure: true, value, callData: data }));
  try {
    const { data } = await client.call({
      account: from,
      to: MULTICALL3,
      data: encodeFunctionData({ abi, args: [list] }),
      value: calls.reduce((sum, { value }) => sum + value, 0n),
      stateOverride: [{ address: from, balance: ENDLESS }],
    });
    if (data === undefined) return undefined;
    const answers = decodeFunctionResult({ abi, data });
    if (answers.length !== calls.length) return undefined;
    return answers.map(({ success, returnData }) => (success ? undefined : returnData));
  } catch (error) {
    if (error instanceof AppError) throw error;
    return undefined;
  }
};

const NO_RECEIVER = 'TransferToNonERC721ReceiverImplementer';

/**
 * Multicall3 has no limit of gas for one call: who takes it all leaves those behind him without, and they fail without a
 * reason, or because their recipient had none. Only a reason that the contract gives counts.
 */
const isReason = (data: Hex): boolean => data !== '0x' && readRefusal(data).name !== NO_RECEIVER;

const estimate = async (
  client: ChainClient,
  from: Address,
  { to, data, value, gas }: SimulatedCall,
): Promise<Simulated> => {
  const call = { from, to, data, value: numberToHex(value), gas: numberToHex(gas) };
  const override = { [from]: { balance: numberToHex(ENDLESS) } };
  try {
    return { gas: BigInt(await client.request({ method: 'eth_estimateGas', params: [call, 'latest', override] })) };
  } catch (error) {
    const revert = revertOf(error);
    if (revert?.data === undefined && isOutOfGas(error)) return { refusal: OUT_OF_GAS };
    if (revert === undefined) throw error;
    return { refusal: readRefusal(revert.data) };
  }
};

/**
 * Does what `simulateCalls` does where an endpoint has no eth_simulateV1: Multicall3 says which calls fail after those
 * before them (it is the sender then, which mints do not look at), eth_estimateGas what each takes.
 */
export const simulateEach = async (
  client: ChainClient,
  from: Address,
  calls: readonly SimulatedCall[],
): Promise<Simulated[]> => {
  const estimates = await Promise.all(calls.map((call) => estimate(client, from, call)));
  // Whoever fails alone takes nothing from the others.
  const reverts = (
    await runInOrder(
      client,
      from,
      calls.filter((_, index) => 'gas' in (estimates[index] as Simulated)),
    )
  )?.values();
  return estimates.map((alone) => {
    if ('refusal' in alone) return alone;
    const data = reverts?.next().value;
    return data === undefined || !isReason(data) ? alone : { refusal: readRefusal(data) };
  });
};
