import { decodeErrorResult, type Hex } from 'viem';
import { cleanText } from '../../clean-text.js';
import { seriesCollectionAbi } from '../artifact/series-collection.js';

/** Why a contract rejected a mint. */
export interface Rejection {
  /** Name of the contract's error; `Reverted` if it gave none. */
  readonly name: string;
  /** A sentence for the API client. */
  readonly reason: string;
}

export const OUT_OF_GAS: Rejection = {
  name: 'OutOfGas',
  reason: 'It takes more gas than a mint of so many tokens may have here: mint fewer tokens at once.',
};

/** Maximum size of revert data that is decoded, in bytes. A recipient contract may return data of any size. */
const MAX_DATA_BYTES = 1024;
/** Maximum length of what a contract or a node gives as its reason in a response. */
export const MAX_REASON_CHARACTERS = 200;

const time = (seconds: unknown): string => {
  const milliseconds = Number(seconds) * 1000;
  const isDate = milliseconds <= 8.64e15;
  return isDate ? new Date(milliseconds).toISOString().replace('.000Z', 'Z') : `second ${seconds} of Unix time`;
};

const tokens = (count: unknown): string => (count === 1n ? '1 token' : `${count} tokens`);

/** The errors of the series collection (contracts/SeriesCollection.sol and what it inherits), by name. */
const REASONS: Readonly<Record<string, (args: readonly unknown[]) => string>> = {
  SoldOut: ([quantity, remaining]) =>
    remaining === 0n ? 'The collection is sold out.' : `${tokens(quantity)} asked for, but only ${remaining} left.`,
  MintNotStarted: ([start]) => `Minting begins at ${time(start)}.`,
  MintEnded: ([end]) => `Minting ended at ${time(end)}.`,
  TooManyPerTransaction: ([quantity, most]) =>
    `${tokens(quantity)} asked for, but a transaction mints at most ${most}.`,
  TooManyPerWallet: ([, quantity, minted, most]) =>
    `${tokens(quantity)} asked for, but a wallet gets at most ${most}, and this one was minted ${minted} already.`,
  WrongValue: ([value, required]) => `The price is ${required} wei, not ${value}.`,
  MintToZeroAddress: () => 'The zero address cannot get tokens.',
  MintZeroQuantity: () => 'At least one token must be minted.',
  TransferToNonERC721ReceiverImplementer: () => 'The recipient is a contract that does not take ERC-721 tokens.',
  OwnableUnauthorizedAccount: ([account]) => `Only the owner of the contract may do this, which ${account} is not.`,
  ERC2981InvalidDefaultRoyaltyReceiver: () => 'Royalties need a receiver other than the zero address.',
  InvalidMintWindow: ([start, end]) => `Minting would end (${time(end)}) before it begins (${time(start)}).`,
};

const spell = (value: unknown): string => (typeof value === 'bigint' ? value.toString() : JSON.stringify(value));

/**
 * Explains the revert data of a contract.
 * @param data undefined and `0x`: the contract gave no reason
 */
export const readErrorCode = (data: Hex | undefined): Rejection => {
  const none = { name: 'Reverted', reason: 'The contract refuses it and gives no reason.' };
  if (data === undefined || data === '0x') return none;
  const unknown = { name: 'Reverted', reason: 'The contract refuses it with an error that is not known here' };
  if (data.length > 2 + 2 * MAX_DATA_BYTES) return { ...unknown, reason: `${unknown.reason}.` };
  try {
    // viem also decodes Error(string) and Panic(uint256) of Solidity.
    const { errorName: name, args = [] } = decodeErrorResult({ abi: seriesCollectionAbi, data });
    const list: readonly unknown[] = args;
    if ((name as string) === 'Error')
      return {
        name: 'Reverted',
        reason: `The contract refuses it: ${cleanText(String(list[0]), MAX_REASON_CHARACTERS)}`,
      };
    const reason = REASONS[name]?.(list) ?? `The contract refuses it: ${name}(${list.map(spell).join(', ')}).`;
    return { name, reason };
  } catch {
    return {
      ...unknown,
      reason: `${unknown.reason}: ${data.length > MAX_REASON_CHARACTERS ? `${data.slice(0, MAX_REASON_CHARACTERS)}…` : data}.`,
    };
  }
};
