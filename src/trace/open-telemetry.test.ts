import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../../test/support/receiver.js';
import { openTelemetryTracer } from './open-telemetry.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLED = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };

/** A tracer that begins no trace by itself, and the names of the spans that it sends. */
const open = async () => {
  const collector = await startReceiver();
  onTestFinished(() => collector.stop());
  const config = { endpoint: collector.url, headers: undefined, serviceName: 'castellan', recordedShare: 0 };
  const tracer = openTelemetryTracer(config, 'api', (error) => {
    throw error;
  });
  const stopAndRead = async (): Promise<string[]> => {
    await tracer.stop();
    return collector.received.flatMap(({ body }) =>
      [...body.matchAll(/"name":"([^"]+)","kind"|"kind":\d,"name":"([^"]+)"/g)].map(
        ([, one, other]) => `${one ?? other}`,
      ),
    );
  };
  return { tracer, stopAndRead };
};

test('what a request set going is not of its trace once the request has ended', async () => {
  const { tracer, stopAndRead } = await open();
  const request = tracer.beginRequest('GET /', CALLED, {});
  let goOn: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let during: Readonly<Record<string, string>> = {};
  let later: Promise<Readonly<Record<string, string>>> = Promise.resolve({});
  await request?.within(async () => {
    await tracer.span('during', {}, async () => {
      during = tracer.headers();
    });
    later = ended.then(() => tracer.span('later', {}, async () => tracer.headers()));
  });
  request?.end(200);
  goOn();
  expect(during.traceparent).toContain(TRACE);
  expect(await later).toEqual({});
  expect((await stopAndRead()).sort()).toEqual(['GET /', 'during']);
});

test('a header that names no trace is no reason to record one', async () => {
  const { tracer } = await open();
  for (const traceparent of ['x', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`])
    expect(tracer.beginRequest('GET /', { traceparent }, {})).toBeUndefined();
  expect(tracer.beginRequest('GET /', CALLED, {})).toBeDefined();
  await tracer.stop();
});
