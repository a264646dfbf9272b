import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BatchQueue } from './queue.js';

test('batches are stored one after the other, in order, and a full queue makes the stream wait', async () => {
  const stored: number[] = [];
  let inFlight = 0;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const queue = new BatchQueue<number>(async (batch) => {
    expect(++inFlight).toBe(1);
    await held;
    stored.push(...batch);
    inFlight--;
  }, new AbortController().signal);
  let read = 0;
  const reading = (async () => {
    for (; read < 10_000; read++) await queue.push(read);
  })();
  for (let turn = 0; turn < 200; turn++) await soon();
  const before = read;
  for (let turn = 0; turn < 200; turn++) await soon();
  expect(read).toBe(before);
  expect(before).toBeLessThan(5_000);
  expect(queue.busy).toBe(true);
  release();
  await reading;
  await queue.drain();
  expect(stored).toEqual(Array.from({ length: 10_000 }, (_, index) => index));
  expect(queue.busy).toBe(false);
});

test('after a batch that could not be stored, nothing more is accepted', async () => {
  const queue = new BatchQueue<number>(() => Promise.reject(new Error('no')), new AbortController().signal);
  await queue.push(1);
  await queue.drain();
  expect(queue.failed).toBe(true);
  expect(() => queue.push(2)).toThrow('no');
});
