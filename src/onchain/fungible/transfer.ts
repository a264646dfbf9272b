import {
  type Address,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  parseAbi,
  parseEventLogs,
} from 'viem';
import { invalidField } from '../../error.js';
import type { ChainClient } from '../network.js';
import { readTokenContracts } from '../token/contract.js';
import { NATIVE_DECIMALS } from '../token/native-coin.js';
import type { Call, Receipt, SendFailure } from '../transaction/call.js';

/** ERC-20, and the errors that ERC-6093 names for its transfers. */
const abi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
]);

/** What is sent: the coin of the network, or an ERC-20 token. */
export interface SentToken {
  /** Lower case; undefined: the coin of the network. */
  readonly contract: Address | undefined;
  readonly decimals: number;
}

/**
 * @param contract lower case; undefined: the coin of the network
 * @param property of the request with the address, for errors
 * @throws AppError invalid for an address without an ERC-20 token; what the client throws if the chain does not respond
 */
export const readSentToken = async (
  client: ChainClient,
  contract: Address | undefined,
  property: string,
): Promise<SentToken> => {
  if (contract === undefined) return { contract, decimals: NATIVE_DECIMALS };
  const [token] = await readTokenContracts(client, [contract], () => false);
  if (token) return { contract, decimals: token.decimals };
  throw invalidField(property, `${property}: no ERC-20 token with decimals and a total supply is at ${contract}.`);
};

/** @returns the balance of an account in the smallest unit */
export const balanceOf = (client: ChainClient, { contract }: SentToken, owner: Address): Promise<bigint> =>
  contract === undefined
    ? client.getBalance({ address: owner })
    : client.readContract({ address: contract, abi, functionName: 'balanceOf', args: [owner] });

/** @param units in the smallest unit */
export const transferCall = ({ contract }: SentToken, to: Address, units: bigint): Call =>
  contract === undefined
    ? { to, data: '0x', value: units, purpose: 'send' }
    : {
        to: contract,
        data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, units] }),
        value: 0n,
        purpose: 'send',
      };

/**
 * @param answer return data of `transfer`; some tokens return nothing
 * @returns whether the token says that it transferred nothing, without reverting
 */
export const isRefusal = (answer: Hex | undefined): boolean => answer !== undefined && /^0x0{64}$/.test(answer);

/** @returns whether a transaction of a wallet that called `transfer` recorded that some of its tokens moved */
export const hasTransferred = ({ logs }: Pick<Receipt, 'logs'>, contract: Address, from: Address): boolean =>
  parseEventLogs({ abi, eventName: 'Transfer', logs }).some(
    ({ address, args }) => isAddressEqual(address, contract) && isAddressEqual(args.from, from) && args.amount > 0n,
  );

/** @returns why a transfer fails: its code and a sentence, for the API client */
export const reasonOf = ({ failure: { code, message, revert } }: SendFailure): string => {
  if (code !== 'Reverted') return `${code}: ${message}`;
  try {
    const { errorName } = decodeErrorResult({ abi, data: revert ?? '0x' });
    // `Error(string)` is not among them: nodes put its text into their message.
    if (errorName in REASONS) return `${code}: ${REASONS[errorName as keyof typeof REASONS]}`;
  } catch {
    // Another error of the contract, or none.
  }
  return `${code}: The token's contract or the recipient's wallet refuses it (${message}).`;
};

const REASONS = {
  ERC20InsufficientBalance: 'The wallet has too few of these tokens.',
  ERC20InvalidSender: "The token's contract refuses the wallet as a sender.",
  ERC20InvalidReceiver: "The token's contract refuses the recipient.",
} as const;
