import { expect, test } from 'vitest';
import { lineOfJsonError } from './json-error-position.js';

test.each([
  ['', 1],
  ['{"a": }', 1],
  ['{"channels": [\n{"id": }\n]}', 2],
  ['{"a": 1,\n\n}', 3],
  ['[1, 2,\n 03]', 2],
  ['["a\nb"]', 1],
  ['{"a": "\\x"}', 1],
  ['{"a": [true, null, -1.5e3]}\n{}', 2],
  ['{"a": 1\n', 2],
  [`${'['.repeat(100_000)}`, 1],
])('%j', (text, line) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(lineOfJsonError(text)).toBe(line);
});
