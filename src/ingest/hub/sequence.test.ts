import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockOf, blockStart } from '../../protocol/event/place.js';
import { HubSequence, type Step } from './sequence.js';

const id = (height: number, place = 0): number => blockStart(height) + place;

/** Offers events as [height, place] or, of a confirmation, [height, 0, events of the block]. */
const offer = (sequence: HubSequence, ...events: [number, number, number?][]): Step[] =>
  events.map(([height, place, count]) => {
    const step = sequence.classify(id(height, place));
    if (step === 'next') sequence.accept(id(height, place), count);
    return step;
  });

test('an id contains height and position', () => {
  expect(blockOf(id(7, 16_383))).toBe(7);
  expect(blockOf(id(2 ** 38, 1))).toBe(2 ** 38);
});

test('in a complete log in order every event is next, whatever is repeated', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(sizes, fc.infiniteStream(fc.boolean()), (blocks, repeats) => {
      const sequence = new HubSequence(id(1), false);
      const log = blocks.flatMap((size, index) =>
        Array.from({ length: size }, (_, place): [number, number, number?] =>
          place === 0 ? [index + 1, 0, size] : [index + 1, place],
        ),
      );
      for (const [place, event] of log.entries()) {
        expect(offer(sequence, event)).toEqual(['next']);
        if (repeats.next().value)
          expect(offer(sequence, log[Math.floor(place / 2)] as [number, number])).toEqual(['repeat']);
      }
    }),
  );
});

test('a hub without the block of the stored position has a gap', () => {
  expect(offer(new HubSequence(id(5, 2), true), [5, 0, 3], [5, 1], [5, 2], [6, 0, 1])).not.toContain('start-gap');
  expect(offer(new HubSequence(id(5, 2), true), [9, 0, 1])).toEqual(['start-gap']);
  // Nothing is stored yet, so nothing can be missing.
  expect(offer(new HubSequence(id(5), false), [9, 0, 1])).toEqual(['next']);
});

test('a hub behind the stored position has a gap once it has passed it', () => {
  const sequence = new HubSequence(id(5, 2), true);
  expect([sequence.height, new HubSequence(id(5), false).height]).toEqual([5, 0]);
  sequence.onBehind();
  expect(offer(sequence, [4, 0, 1], [6, 0, 1])).toEqual(['repeat', 'start-gap']);
  sequence.accept(id(6), 1);
  expect(offer(sequence, [7, 0, 1])).toEqual(['next']);
});

test('a block that has another time after a reconnect is of another log', () => {
  const sequence = new HubSequence(id(5), true);
  sequence.accept(id(5), 1, 1_000);
  sequence.onReconnect();
  expect(sequence.classify(id(5), 1_000)).toBe('repeat');
  expect(sequence.classify(id(5), 1_001)).toBe('start-gap');
  sequence.onBehind();
  // It is the same log after all, which had not come so far.
  expect([sequence.classify(id(5), 1_000), sequence.isBehind, sequence.classify(id(6), 1_002)]).toEqual([
    'repeat',
    false,
    'next',
  ]);
  // Hubs without times are believed.
  expect(sequence.classify(id(5, 1), 0)).toBe('next');
});

test('after a reconnect the current block is read again from its start', () => {
  const sequence = new HubSequence(id(5), false);
  offer(sequence, [5, 0, 3], [5, 1]);
  sequence.onReconnect();
  expect(sequence.fromId).toBe(id(5));
  expect(offer(sequence, [5, 0, 3], [5, 1], [5, 2], [6, 0, 1])).toEqual(['repeat', 'repeat', 'next', 'next']);
  sequence.onReconnect();
  expect(offer(sequence, [8, 0, 1])).toEqual(['start-gap']);
});

test('missing heights and missing events of a block are detected if the hub confirms its blocks', () => {
  const sequence = new HubSequence(id(5), false);
  expect(offer(sequence, [5, 0, 3], [5, 1], [6, 0, 1])).toEqual(['next', 'next', 'count-gap']);
  expect(offer(sequence, [5, 2], [7, 0, 1])).toEqual(['next', 'height-gap']);
  expect(offer(sequence, [6, 0, 4])).toEqual(['next']);
  sequence.ignoreCounts();
  expect(offer(sequence, [7, 0, 1])).toEqual(['next']);
  expect(offer(new HubSequence(id(1), false), [1, 1], [4, 1])).toEqual(['next', 'next']);
});

test('a hub that names its first event is followed from there, and nothing is missing if all before it was read', () => {
  const sequence = new HubSequence(id(5, 40), true);
  expect(sequence.fromId).toBe(id(5));
  expect(sequence.resumeAt(id(5, 41))).toBe(false);
  expect(sequence.fromId).toBe(id(5, 41));
  sequence.onReconnect();
  expect(sequence.classify(id(5, 41))).toBe('next');
  sequence.accept(id(5, 41), undefined);
  // The block is read again as far as the hub has it.
  expect(sequence.fromId).toBe(id(5, 41));
  expect(sequence.classify(id(5, 41))).toBe('repeat');
});

test('events between the last that was read and the first that the hub has are missing', () => {
  const sequence = new HubSequence(id(5, 40), true);
  expect(sequence.resumeAt(id(9, 3))).toBe(true);
  expect(sequence.fromId).toBe(id(9, 3));
  sequence.onReconnect();
  expect(sequence.classify(id(9, 3))).toBe('next');
});

test('nothing is missing where nothing was read before', () => {
  const sequence = new HubSequence(id(5), false);
  expect(sequence.resumeAt(id(5, 7))).toBe(false);
  expect(sequence.fromId).toBe(id(5, 7));
});

test('a log that ends before the last event that was read is another one', () => {
  const sequence = new HubSequence(id(500, 3), true);
  expect(sequence.resumeAt(1)).toBe(true);
  expect(sequence.fromId).toBe(1);
  expect(sequence.classify(1)).toBe('next');
});
