import type { Hex } from 'viem';

const WORD_DIGITS = 64;

/**
 * @param count words that the response must have
 * @returns the words of a response as numbers; undefined for any other length
 */
export const readWords = (answer: Hex | undefined, count: number): bigint[] | undefined => {
  if (answer?.length !== 2 + count * WORD_DIGITS) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const at = 2 + index * WORD_DIGITS;
    return BigInt(`0x${answer.slice(at, at + WORD_DIGITS)}`);
  });
};

const ADDRESS_LIMIT = 1n << 160n;

/** @returns a word as an address in lower case; undefined if it is none */
export const wordAddress = (word: bigint | undefined): `0x${string}` | undefined =>
  word === undefined || word >= ADDRESS_LIMIT ? undefined : `0x${word.toString(16).padStart(40, '0')}`;

/** @returns a word as a number; undefined above 2^53 - 1 */
export const wordNumber = (word: bigint | undefined): number | undefined =>
  word === undefined || word > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(word);
