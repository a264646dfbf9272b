import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBase64 } from './base64.js';

test('bytes come back from either alphabet, padded or not', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (array) => {
      const bytes = Buffer.from(array);
      const padded = bytes.toString('base64');
      const url = bytes.toString('base64url');
      const forms = [padded, padded.replace(/=+$/, ''), url, url.padEnd(padded.length, '=')];
      for (const form of forms) expect(decodeBase64(form)).toEqual(bytes);
    }),
  );
});

test.each([
  ['both alphabets at once', 'ab-_ab+/'],
  ['too much padding', 'YQ==='],
  ['too little padding', 'YQ='],
  ['padding where none belongs', 'YWJj='],
  ['padding in the middle', 'YQ==YQ=='],
  ['nothing but padding', '=='],
  ['a single character', 'Y'],
  ['bits that belong to no byte', 'YR'],
  ['a space', 'YW Jj'],
  ['a line break at the end', 'YWJj\n'],
  ['other characters', 'YWJ!'],
])('%s is rejected', (_what, text) => {
  expect(decodeBase64(text)).toBeUndefined();
});
