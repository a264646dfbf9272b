import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { AppError } from '../../error.js';
import { type ChainClient, MULTICALL3 } from '../network.js';
import { OUT_OF_GAS, readErrorCode } from './mint-revert.js';
import { type Simulated, type SimulatedCall, UNLIMITED_BALANCE } from './simulated-call.js';
import { isOutOfGas, revertOf } from './simulation-revert.js';

const abi = parseAbi([
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
]);

/**
 * @returns the revert data of each call after the previous ones, undefined for a call that succeeds; undefined without
 *   Multicall3, or if a called contract used up all gas
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
      stateOverride: [{ address: from, balance: UNLIMITED_BALANCE }],
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
 * Multicall3 cannot limit the gas of a call. After a call that uses up the gas, later ones fail without a reason, or as
 * if their recipient could not take tokens. Therefore only reasons of the contract itself count.
 */
const isReason = (data: Hex): boolean => data !== '0x' && readErrorCode(data).name !== NO_RECEIVER;

const estimate = async (
  client: ChainClient,
  from: Address,
  { to, data, value, gas }: SimulatedCall,
): Promise<Simulated> => {
  const call = { from, to, data, value: numberToHex(value), gas: numberToHex(gas) };
  const override = { [from]: { balance: numberToHex(UNLIMITED_BALANCE) } };
  try {
    return { gas: BigInt(await client.request({ method: 'eth_estimateGas', params: [call, 'latest', override] })) };
  } catch (error) {
    const revert = revertOf(error);
    if (revert?.data === undefined && isOutOfGas(error)) return { rejection: OUT_OF_GAS };
    if (revert === undefined) throw error;
    return { rejection: readErrorCode(revert.data) };
  }
};

/**
 * Replaces `simulateCalls` for endpoints without eth_simulateV1. Multicall3 shows which calls fail after the previous
 * ones (it is the sender of the calls, which does not matter to a mint); eth_estimateGas returns the gas of each.
 */
export const simulateEach = async (
  client: ChainClient,
  from: Address,
  calls: readonly SimulatedCall[],
): Promise<Simulated[]> => {
  const estimates = await Promise.all(calls.map((call) => estimate(client, from, call)));
  // A call that fails alone does not affect the others.
  const reverts = (
    await runInOrder(
      client,
      from,
      calls.filter((_, index) => 'gas' in (estimates[index] as Simulated)),
    )
  )?.values();
  return estimates.map((alone) => {
    if ('rejection' in alone) return alone;
    const data = reverts?.next().value;
    return data === undefined || !isReason(data) ? alone : { rejection: readErrorCode(data) };
  });
};
