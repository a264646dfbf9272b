import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flatten, parseRendered, quote, quoteOrNull, toBytes, toUtf8, viewNext } from './json.js';

test('a text is quoted as JSON has it, whatever is in it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('"', '\\', '\u0000', '\u001f', '\u007f', '\u2028', '\ud83c', '\udf31', 'é', '🌱'),
    }),
  );
  fc.assert(
    fc.property(text, (one) => {
      expect(quote(one)).toBe(toUtf8(JSON.stringify(one)));
      expect(quoteOrNull(one)).toBe(quote(one));
      expect(parseRendered(quote(one))).toBe(JSON.parse(JSON.stringify(one)));
    }),
    { numRuns: 2_000 },
  );
  expect(quoteOrNull(null)).toBe('null');
  expect(viewNext('"')).toBe('"next":{"cursor":"\\""}');
  expect(viewNext(null)).toBe('"next":{"cursor":null}');
});

test('answers hold their items in UTF-8, and stay as they were when others are written after them', () => {
  // The longest texts do not fit into the initial buffer.
  const item = fc.record({ unit: fc.constantFrom('a', 'é', '日', '🌱'), length: fc.nat(300_000) });
  fc.assert(
    fc.property(fc.array(fc.array(item, { maxLength: 4 }), { maxLength: 5 }), (answers) => {
      const written = answers.map((items) => {
        const texts = items.map(({ unit, length }) => unit.repeat(length));
        return { bytes: toBytes(toUtf8('{"é":['), texts.map(toUtf8), ']}'), text: `{"é":[${texts.join()}]}` };
      });
      for (const { bytes, text } of written) expect(bytes.equals(Buffer.from(text))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('an answer takes no more memory than its bytes', () => {
  expect(toBytes('[', ['1'], ']').buffer.byteLength).toBe(3);
});

test('a flattened text is the same text, also the first one that needs more room than there is', () => {
  expect(flatten('')).toBe('');
  for (const unit of ['a', 'é', '日', '🌱']) {
    const text = unit.repeat(2_000_000);
    expect(flatten(toUtf8(`[${text}]`)) === toUtf8(`[${text}]`)).toBe(true);
  }
});
