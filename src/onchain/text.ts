import type { Hex } from 'viem';
import { cleanText } from '../clean-text.js';
import { fromHex } from '../hex.js';

const WORD = 32;

const numberAt = (bytes: Buffer, at: number): number => {
  const word = bytes.subarray(at, at + WORD);
  // An offset that needs more than 32 bits is outside of any response.
  if (word.length < WORD || word.subarray(0, WORD - 4).some((byte) => byte !== 0)) return Number.NaN;
  return word.readUInt32BE(WORD - 4);
};

/**
 * Decodes what `name()` or `symbol()` returned: an ABI string, or 32 bytes padded with zeros, as tokens from before the
 * final standard return (MKR, SAI).
 * @param most maximum length in characters; longer texts are truncated
 * @returns undefined for anything else
 */
export const decodeText = (answer: Hex, most?: number): string | undefined => {
  const bytes = fromHex(answer);
  if (bytes.length === WORD) {
    const end = bytes.indexOf(0);
    return cleanText(bytes.subarray(0, end === -1 ? WORD : end).toString('utf8'), most);
  }
  const start = numberAt(bytes, 0) + WORD;
  const length = numberAt(bytes, start - WORD);
  if (Number.isNaN(start) || Number.isNaN(length) || start + length > bytes.length) return undefined;
  return cleanText(bytes.subarray(start, start + length).toString('utf8'), most);
};
