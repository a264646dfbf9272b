import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { readBounded } from '../bounded-read.js';
import type { ChainClient } from '../network.js';
import { decodeText } from '../text.js';

const balanceAbi = parseAbi(['function balanceOf(address owner) view returns (uint256)']);

/** `decimals()`, `totalSupply()`, `name()`, `symbol()` of ERC-20. */
const DECIMALS: Hex = '0x313ce567';
const TOTAL_SUPPLY: Hex = '0x18160ddd';
const NAME: Hex = '0x06fdde03';
const SYMBOL: Hex = '0x95d89b41';

const WORD_BYTES = 32;
/** Place and length of a string, and its text up to 256 bytes. */
const TEXT_BYTES = 2 * WORD_BYTES + 256;

/** @returns a number that a contract answered; undefined for what is not exactly one word. */
export const readWord = (answer: Hex | undefined): bigint | undefined =>
  answer?.length === 2 + 2 * WORD_BYTES ? BigInt(answer) : undefined;

export const balanceCall = (owner: Address): Hex =>
  encodeFunctionData({ abi: balanceAbi, functionName: 'balanceOf', args: [owner] });

/** What a token's contract says of itself. */
export interface TokenContract {
  /** Fit to be shown; empty where the contract does not say, or nothing sensible. */
  readonly name: string;
  readonly symbol: string;
  /** 0 to 255. */
  readonly decimals: number;
  /** In the smallest unit. */
  readonly totalSupply: bigint;
}

/**
 * Asks contracts what tokens they are. Any contract may be asked: none can spoil the answers of others.
 * @param withTexts addresses whose name and symbol are wanted too; those of others come back empty
 * @returns for each address, in order; undefined where there is no ERC-20 token with decimals and a total supply
 * @throws what the client throws when the chain does not answer
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
