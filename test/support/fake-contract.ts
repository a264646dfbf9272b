import { type Hex, size, slice } from 'viem';

const word = (value: number): string => value.toString(16).padStart(4, '0');

const HEAD = '60003560e01c';
const CASE_BYTES = 11;
const REFUSE = '60006000fd';
const REFUSE_BYTES = 5;
const BODY_BYTES = 16;

/**
 * @param answers returned bytes by function selector; every other call reverts
 * @returns code of a contract that returns these bytes for any arguments, to be set at an address
 */
export const fakeContract = (answers: Readonly<Record<Hex, Hex>>): Hex => {
  const entries = Object.entries(answers) as [Hex, Hex][];
  const bodies = HEAD.length / 2 + CASE_BYTES * entries.length + REFUSE_BYTES;
  const starts = entries.map((_, index) => bodies + BODY_BYTES * index);
  let at = bodies + BODY_BYTES * entries.length;
  let [cases, code, data] = ['', '', ''];
  for (const [index, [selector, bytes]] of entries.entries()) {
    // DUP1 PUSH4 selector EQ PUSH2 body JUMPI
    cases += `8063${slice(selector, 0, 4).slice(2)}1461${word(starts[index] as number)}57`;
    // JUMPDEST PUSH2 length PUSH2 place PUSH1 0 CODECOPY PUSH2 length PUSH1 0 RETURN
    code += `5b61${word(size(bytes))}61${word(at)}60003961${word(size(bytes))}6000f3`;
    data += bytes.slice(2);
    at += size(bytes);
  }
  return `0x${HEAD}${cases}${REFUSE}${code}${data}`;
};

/** Runs until its gas is used up. */
export const UNLIMITED_BALANCE: Hex = '0x5b600056';
/** Returns a megabyte of zeros. */
export const LARGE_RETURN: Hex = '0x620f42406000f3';

export const SELECTOR = {
  balanceOf: '0x70a08231',
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  totalSupply: '0x18160ddd',
  latestRoundData: '0xfeaf968c',
} as const satisfies Record<string, Hex>;
