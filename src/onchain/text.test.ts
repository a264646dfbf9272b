import { encodeAbiParameters, type Hex, stringToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { decodeText } from './text.js';

const abi = (text: string): Hex => encodeAbiParameters([{ type: 'string' }], [text]);
const abiBytes = (bytes: Hex): Hex => encodeAbiParameters([{ type: 'bytes' }], [bytes]);

describe('names and symbols of tokens', () => {
  it('reads strings', () => expect(decodeText(abi('Dai Stablecoin'))).toBe('Dai Stablecoin'));
  it('reads 32 bytes', () => expect(decodeText(stringToHex('MKR', { size: 32 }))).toBe('MKR'));
  it('reads 32 bytes without a zero', () => expect(decodeText(`0x${'41'.repeat(32)}`)).toBe('A'.repeat(32)));
  it('reads the empty string', () => expect(decodeText(abi(''))).toBe(''));

  it('leaves out control characters, marks of direction and NUL', () =>
    expect(decodeText(abi('U\u0000S\u202eD\u0007C\n\t \u200bok\u2066'))).toBe('USDC ok'));
  it('leaves out bytes that are no UTF-8', () => expect(decodeText(abiBytes('0x41ff42c0c1ed'))).toBe('AB'));
  it('cuts what is too long, between characters', () =>
    expect(decodeText(abi('🦄'.repeat(500)))).toBe('🦄'.repeat(64)));

  it.each([
    ['nothing', '0x'],
    ['a place beyond the end', `0x${'00'.repeat(31)}ff${'00'.repeat(32)}`],
    ['a place that no number of JavaScript holds', `0x${'ff'.repeat(32)}${'00'.repeat(32)}`],
    ['a length beyond the end', `0x${'00'.repeat(31)}20${'00'.repeat(31)}ff${'41'.repeat(32)}`],
    ['half a word', '0x0020'],
  ] as const)('does not read %s', (_name, answer) => expect(decodeText(answer)).toBeUndefined());
});
