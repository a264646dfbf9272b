import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { ChainClient } from '../network.js';
import { readBounded, WORD_BYTES } from '../rpc/gas-bounded-read.js';
import { decodeText } from '../text.js';

const balanceAbi = parseAbi(['function balanceOf(address owner) view returns (uint256)']);

/** `decimals()`, `totalSupply()`, `name()`, `symbol()` of ERC-20. */
const DECIMALS: Hex = '0x313ce567';
const TOTAL_SUPPLY: Hex = '0x18160ddd';
const NAME: Hex = '0x06fdde03';
const SYMBOL: Hex = '0x95d89b41';

/** Offset and length of a string, and its text up to 256 bytes. */
export const TEXT_BYTES = 2 * WORD_BYTES + 256;

/** @returns the number in a response; undefined if the response is not exactly one word */
export const readWord = (answer: Hex | undefined): bigint | undefined =>
  answer?.length === 2 + 2 * WORD_BYTES ? BigInt(answer) : undefined;

export const balanceCall = (owner: Address): Hex =>
  encodeFunctionData({ abi: balanceAbi, functionName: 'balanceOf', args: [owner] });

/** What the contract of a token reports. */
export interface TokenContract {
  /** Safe to display; empty if the contract does not report one. */
  readonly name: string;
  readonly symbol: string;
  /** 0 to 255. */
  readonly decimals: number;
  /** In the smallest unit. */
  readonly totalSupply: bigint;
}

/**
 * Reads the ERC-20 properties of contracts. A contract cannot disturb the reads of others.
 * @param withTexts addresses whose name and symbol are read, too; those of the others are empty
 * @returns in the order of the addresses; undefined for what is not an ERC-20 token with decimals and a total supply
 * @throws what the client throws if the chain does not respond
 */
export const readTokenContracts = async (
  client: ChainClient,
  addresses: readonly Address[],
  withTexts: (address: Address) => boolean = () => true,
): Promise<(TokenContract | undefined)[]> => {
  const ask = async (targets: readonly Address[], calls: readonly Hex[], maxBytes: number) => {
    const reads = targets.flatMap((target) => calls.map((data) => ({ target, data })));
    const answers = await readBounded(client, reads, maxBytes);
    return new Map(targets.map((target, at) => [target, answers.slice(calls.length * at, calls.length * (at + 1))]));
  };
  const numbers = await ask([...new Set(addresses)], [DECIMALS, TOTAL_SUPPLY], WORD_BYTES);
  const found = new Map<Address, Pick<TokenContract, 'decimals' | 'totalSupply'>>();
  for (const [address, [first, second]] of numbers) {
    const [decimals, totalSupply] = [readWord(first), readWord(second)];
    if (decimals !== undefined && decimals <= 255n && totalSupply !== undefined)
      found.set(address, { decimals: Number(decimals), totalSupply });
  }
  const texts = await ask([...found.keys()].filter(withTexts), [NAME, SYMBOL], TEXT_BYTES);
  const textOf = (answer: Hex | undefined): string => (answer && decodeText(answer)) ?? '';
  return addresses.map((address) => {
    const token = found.get(address);
    const [name, symbol] = texts.get(address) ?? [];
    return token && { ...token, name: textOf(name), symbol: textOf(symbol) };
  });
};
