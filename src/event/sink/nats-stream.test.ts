import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { parseEventSink } from '../../config/event-sink.js';
import { openStream } from './nats-stream.js';

test('an attempt to connect that fails leaves nothing on the signal, which outlives many of them', async () => {
  const { signal } = new AbortController();
  const address = parseEventSink('nats://127.0.0.1:1/castellan');
  await expect(openStream(address, signal, 7)).rejects.toThrow();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
