import type { Hex } from 'viem';

/** Longest name or symbol that is shown, in characters. */
const MAX_CHARACTERS = 64;

const WORD = 32;

/**
 * Makes text of strangers fit to be shown: control characters, marks that turn the direction of writing, unpaired
 * surrogates and what was no UTF-8 are left out; white space becomes single spaces; what is too long is cut.
 * @param most characters that are left
 */
export const cleanText = (text: string, most = MAX_CHARACTERS): string =>
  [
    ...text
      .replace(/\s+/gu, ' ')
      .replace(/[\p{C}\uFFFD]/gu, '')
      .trim(),
  ]
    .slice(0, most)
    .join('');

const numberAt = (bytes: Buffer, at: number): number => {
  const word = bytes.subarray(at, at + WORD);
  // Anything above cannot be a place in an answer.
  if (word.length < WORD || word.subarray(0, WORD - 4).some((byte) => byte !== 0)) return Number.NaN;
  return word.readUInt32BE(WORD - 4);
};

/**
 * Reads what `name()` or `symbol()` returned: an ABI string, or 32 bytes filled up with zeros, as tokens from before
 * the standard was final return them (MKR, SAI).
 * @returns undefined for what is neither
 */
export const decodeText = (answer: Hex): string | undefined => {
  const bytes = Buffer.from(answer.slice(2), 'hex');
  if (bytes.length === WORD) {
    const end = bytes.indexOf(0);
    return cleanText(bytes.subarray(0, end === -1 ? WORD : end).toString('utf8'));
  }
  const start = numberAt(bytes, 0) + WORD;
  const length = numberAt(bytes, start - WORD);
  if (Number.isNaN(start) || Number.isNaN(length) || start + length > bytes.length) return undefined;
  return cleanText(bytes.subarray(start, start + length).toString('utf8'));
};
