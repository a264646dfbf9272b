import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonWriter, releasePage } from './json-writer.js';

const write = (letter: string, length: number): Buffer => {
  const json = new JsonWriter();
  json.text('[');
  for (let left = length; left > 0; left -= 1000) json.bytes(Buffer.alloc(Math.min(left, 1000), letter));
  json.text(']');
  return json.finish();
};

test('a page stays as it was written until it is released, whatever is written and released besides', () => {
  const step = fc.oneof(
    fc.record({ letter: fc.constantFrom('a', 'b', 'c'), length: fc.integer({ max: 2_000_000, min: 0 }) }),
    fc.record({ release: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const held: { page: Buffer; letter: string; length: number }[] = [];
      for (const one of steps) {
        if ('letter' in one) held.push({ ...one, page: write(one.letter, one.length) });
        else if (held.length > 0) {
          const [gone] = held.splice(one.release % held.length, 1);
          releasePage((gone as { page: Buffer }).page);
        }
        for (const { page, letter, length } of held) {
          expect(page.equals(Buffer.from(`[${letter.repeat(length)}]`))).toBe(true);
        }
      }
      for (const { page } of held) releasePage(page);
    }),
    { numRuns: 30 },
  );
});

test('what is released is written to again, so that pages that are sent one after the other need no more memory', () => {
  const first = write('a', 40_000);
  releasePage(first);
  const second = write('b', 40_000);
  expect(second.buffer).toBe(first.buffer);
  expect(second.byteOffset).toBe(first.byteOffset);
  releasePage(second);
});

test('what is no page of the writer is let be', () => {
  releasePage(Buffer.from('{}'));
  releasePage(Buffer.allocUnsafeSlow(10));
});
