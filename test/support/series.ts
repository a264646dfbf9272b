import {
  type Abi,
  type Account,
  type Address,
  type ContractConstructorArgs,
  type ContractFunctionArgs,
  type ContractFunctionName,
  decodeErrorResult,
  type EncodeFunctionDataParameters,
  encodeDeployData,
  encodeFunctionData,
  formatTransactionReceipt,
  type GetContractReturnType,
  getAddress,
  getContract,
  type Hex,
  numberToHex,
  type PublicClient,
  type TransactionReceipt,
  zeroAddress,
} from 'viem';
import { seriesCollectionAbi, seriesCollectionBytecode } from '../../src/onchain/artifact/series-collection.js';
import type { TestChain } from './chain.js';

type SeriesAbi = typeof seriesCollectionAbi;
export type SeriesConfig = ContractConstructorArgs<SeriesAbi>[0];
type Change = ContractFunctionName<SeriesAbi, 'nonpayable' | 'payable'>;

/** How a transaction that was mined ended. */
export interface TransactionResult {
  readonly receipt: TransactionReceipt;
  readonly isDone: boolean;
  /** Name and arguments of the contract's error; undefined where it succeeded, or gave no reason. */
  readonly error: readonly unknown[] | undefined;
}

export interface Paid {
  /** Wei; 0 by default. */
  readonly value?: bigint;
  /** The chain's first account by default, which deploys and owns the collections too. */
  readonly from?: Account;
}

/** More than any transaction of a test needs. Given, because an estimate would refuse before the chain does. */
const GAS = 16_000_000n;

/**
 * Sends to the chain itself, so that a refusal is that of a block. Without `to` it deploys.
 * The chain signs for its accounts and answers with the receipt: one request, where these tests make hundreds.
 */
export const attempt = async (
  chain: TestChain,
  call: Paid & { readonly to?: Address; readonly data: Hex },
): Promise<TransactionResult> => {
  const { from = chain.account(0), to, data, value = 0n } = call;
  const transaction = { from: from.address, to, data, value: numberToHex(value), gas: numberToHex(GAS) };
  const receipt = formatTransactionReceipt(
    await chain.public.request({ method: 'eth_sendTransactionSync', params: [transaction] } as never),
  );
  if (receipt.status === 'success') return { receipt, isDone: true, error: undefined };
  const { output } = await chain.public.request<{ ReturnType: { readonly output?: Hex } }>({
    method: 'debug_traceTransaction',
    params: [receipt.transactionHash, { tracer: 'callTracer' }],
  } as never);
  if (output === undefined || output === '0x') return { receipt, isDone: false, error: undefined };
  const abi: Abi = seriesCollectionAbi;
  const { errorName, args = [] } = decodeErrorResult({ abi, data: output });
  return { receipt, isDone: false, error: [errorName, ...args] };
};

export const encodeChange = <const Name extends Change>(
  functionName: Name,
  args: ContractFunctionArgs<SeriesAbi, 'nonpayable' | 'payable', Name>,
): Hex => encodeFunctionData({ abi: seriesCollectionAbi, functionName, args } as EncodeFunctionDataParameters);

const configOf = (chain: TestChain, changes: Partial<SeriesConfig>): SeriesConfig => ({
  name: 'Series',
  symbol: 'SER',
  description: '',
  externalLink: '',
  image: '',
  metadataUri: '',
  tokenUri: '',
  maxSupply: 0n,
  startTime: 0,
  endTime: 0,
  maxPerTx: 0,
  maxPerWallet: 0,
  pricePerToken: 0n,
  royaltyBps: 0,
  royaltyReceiver: zeroAddress,
  owner: chain.account(0).address,
  ...changes,
});

/** Tries to deploy a collection without limits and price, but for `changes`. */
export const attemptSeries = (chain: TestChain, changes: Partial<SeriesConfig>): Promise<TransactionResult> =>
  attempt(chain, {
    data: encodeDeployData({
      abi: seriesCollectionAbi,
      bytecode: seriesCollectionBytecode,
      args: [configOf(chain, changes)],
    }),
  });

/** A collection on the chain. */
export interface Series {
  readonly address: Address;
  readonly receipt: TransactionReceipt;
  readonly read: GetContractReturnType<SeriesAbi, PublicClient>['read'];
  send<const Name extends Change>(
    name: Name,
    args: ContractFunctionArgs<SeriesAbi, 'nonpayable' | 'payable', Name>,
    paid?: Paid,
  ): Promise<TransactionResult>;
  /** Pays nothing unless `paid` says so. */
  mint(to: Address, quantity: bigint, paid?: Paid): Promise<TransactionResult>;
  airdrop(to: Address, quantity: bigint, paid?: Paid): Promise<TransactionResult>;
}

/** Deploys a collection without limits and price, but for `changes`; the chain's first account owns it. */
export const deploySeries = async (chain: TestChain, changes: Partial<SeriesConfig> = {}): Promise<Series> => {
  const { receipt, error } = await attemptSeries(chain, changes);
  if (receipt.status !== 'success' || !receipt.contractAddress)
    throw new Error(`The collection was not deployed: ${error}`);
  const address = getAddress(receipt.contractAddress);
  const send: Series['send'] = (name, args, paid) =>
    attempt(chain, { to: address, data: encodeChange(name, args), ...paid });
  return {
    address,
    receipt,
    read: getContract({ address, abi: seriesCollectionAbi, client: chain.public }).read as Series['read'],
    send,
    mint: (to, quantity, paid) => send('mint', [to, quantity], paid),
    airdrop: (to, quantity, paid) => send('airdrop', [to, quantity], paid),
  };
};
