import { type Address, type Hex, isAddressEqual, keccak256, stringToBytes, type TransactionReceipt } from 'viem';
import type { Network } from '../network.js';
import { assetOf } from './asset.js';

/** `Transfer` of ERC-20 and ERC-721. */
export const TRANSFER: Hex = keccak256(stringToBytes('Transfer(address,address,uint256)'));
/** ERC-20 indexes sender and recipient; ERC-721 also indexes the token. */
const ERC20_TOPICS = 3;

const USER_OPERATION: Hex = keccak256(
  stringToBytes('UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)'),
);
/** ERC-4337 entry points 0.6, 0.7 and 0.8: https://github.com/eth-infinitism/account-abstraction/releases. */
const ENTRY_POINTS: ReadonlySet<string> = new Set([
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
]);

type Log = TransactionReceipt['logs'][number];

/** @returns the address in an indexed parameter, in lower case */
export const addressIn = (topic: Hex | undefined): Address => `0x${(topic ?? '').slice(-40).toLowerCase()}`;

const amountOf = ({ topics, data }: Log): bigint | undefined =>
  topics[0] === TRANSFER && topics.length === ERC20_TOPICS && /^0x[0-9a-f]{64}$/i.test(data) ? BigInt(data) : undefined;

/**
 * Sums the ERC-20 transfers of a wallet in a transaction; the wrapped coin counts as the coin.
 * @param wallet lower case
 * @returns by asset what the wallet got, negative for what it gave; assets that it kept are missing
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

/**
 * Contracts can emit `Transfer` with any address, so only what the wallet itself started is its trade.
 * @returns whether the wallet sent the transaction, or an operation in it through an entry point of ERC-4337
 */
export const isStartedBy = ({ from, logs }: Pick<TransactionReceipt, 'from' | 'logs'>, wallet: Address): boolean =>
  isAddressEqual(from, wallet) ||
  logs.some(
    ({ address, topics }) =>
      ENTRY_POINTS.has(address.toLowerCase()) && topics[0] === USER_OPERATION && addressIn(topics[2]) === wallet,
  );
