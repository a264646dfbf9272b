import { type Address, type Hex, keccak256, slice, stringToBytes, type TransactionReceipt } from 'viem';
import type { Network } from '../network.js';
import { ERC20_TOPICS, TRANSFER } from '../transfer-event.js';
import { assetOf } from './asset.js';

/** `sender` is the second topic after it. */
export const USER_OPERATION: Hex = keccak256(
  stringToBytes('UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)'),
);
const BEFORE_EXECUTION: Hex = keccak256(stringToBytes('BeforeExecution()'));
/** ERC-4337 entry points 0.6, 0.7 and 0.8: https://github.com/eth-infinitism/account-abstraction/releases. */
export const ENTRY_POINTS: readonly Address[] = [
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
];

export type Log = TransactionReceipt['logs'][number];

/** @returns the address in an indexed parameter, in lower case */
export const addressIn = (topic: Hex | undefined): Address => `0x${(topic ?? '').slice(-40).toLowerCase()}`;

const amountOf = ({ topics, data }: Log): bigint | undefined =>
  topics[0] === TRANSFER && topics.length === ERC20_TOPICS && /^0x[0-9a-f]{64}$/i.test(data) ? BigInt(data) : undefined;

/**
 * Sums the ERC-20 transfers of a wallet in a transaction; the wrapped coin counts as the coin.
 * @param wallet lower case
 * @returns by asset what the wallet got, negative for what it gave; assets of which it has as much as before are missing
 */
export const netTransfers = (network: Network, logs: readonly Log[], wallet: Address): Map<Address, bigint> => {
  const net = new Map<Address, bigint>();
  for (const log of logs) {
    const amount = amountOf(log);
    if (amount === undefined) continue;
    const asset = assetOf(network, log.address.toLowerCase() as Address);
    const got = addressIn(log.topics[2]) === wallet ? amount : 0n;
    const gave = addressIn(log.topics[1]) === wallet ? amount : 0n;
    net.set(asset, (net.get(asset) ?? 0n) + got - gave);
  }
  return new Map([...net].filter(([, amount]) => amount !== 0n));
};

/** Nonce, success, gas cost and gas of the event of an operation. */
const SUCCESS: Hex = `0x${'1'.padStart(64, '0')}`;
const isSuccess = (data: Hex): boolean => data.length === 2 + 4 * 64 && slice(data, 32, 64) === SUCCESS;

/**
 * What operations of a wallet did through an entry point of ERC-4337. Anybody may bundle an operation with calls of its
 * own, so only the events since the previous operation count: the entry point emits them in this order.
 * @param wallet lower case
 * @returns the events of its successful operations
 */
export const operationLogs = (logs: readonly Log[], wallet: Address): Log[] => {
  const found: Log[] = [];
  const began = new Map<string, number>();
  for (const [index, { address, topics, data }] of logs.entries()) {
    const entryPoint = address.toLowerCase() as Address;
    const isEnd = topics[0] === USER_OPERATION;
    if (!ENTRY_POINTS.includes(entryPoint) || !(isEnd || topics[0] === BEFORE_EXECUTION)) continue;
    const first = began.get(entryPoint);
    if (isEnd && first !== undefined && addressIn(topics[2]) === wallet && isSuccess(data)) {
      found.push(...logs.slice(first, index));
    }
    began.set(entryPoint, index + 1);
  }
  return found;
};
