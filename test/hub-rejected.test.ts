import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SubmitOptions } from '../src/ingest/ingest-outcome.js';
import { decodeEnvelope, encodeEnvelope } from '../src/protocol/wire/envelope.js';
import type { Signed } from '../src/sample/signed-message.js';
import { openTestDatabase } from './support/database.js';
import { FakeHub } from './support/fake-hub.js';
import { authors, registration } from './support/hub-fixture.js';
import { openTestIngest } from './support/ingest.js';
import { type Network, startNetwork } from './support/network.js';

const hub = new FakeHub([1]);
let network: Network;
const [alice] = authors(401);
beforeAll(async () => {
  await hub.start();
  // Before the service lists the accounts of the hub.
  hub.say(...(await registration(alice)), forged(alice.cast({ text: 'not mine' })));
  network = await startNetwork({ CASTELLAN_HUB_URL: `grpc://${hub.address.address}` });
});
afterAll(async () => {
  await network.stop();
  hub.stop();
});

/** The message with a signature that nobody made. */
const forged = ({ wire }: Signed): { kind: 'message'; wire: Uint8Array } => {
  const envelope = decodeEnvelope(wire);
  return { kind: 'message', wire: encodeEnvelope({ ...envelope, signature: new Uint8Array(64).fill(1) }) };
};

test('the metrics have what is rejected of the messages of a hub, with the reason', async () => {
  const count = async (source: string, outcome: string) => {
    const text = await network.app.services.metrics.registry.getSingleMetricAsString('castellan_ingest_messages_total');
    return Number(text.match(new RegExp(`source="${source}",outcome="${outcome}"\\} (\\d+)`))?.[1] ?? 0);
  };
  await expect.poll(() => count('backfill', 'bad_signature'), { timeout: 20_000 }).toBe(1);
  hub.say(alice.cast({ text: 'x'.repeat(10_001) }));
  await expect.poll(() => count('hub', 'bad_text'), { timeout: 20_000 }).toBe(1);
});

test('the log says once what a hub sends that is rejected, and nothing of submissions', async () => {
  const { db, drop } = await openTestDatabase();
  const lines: string[] = [];
  const ingest = openTestIngest(db, { log: pino({}, { write: (line: string) => void lines.push(line) }) });
  const [alice] = authors(402);
  const items = (await registration(alice)).slice(0, 3);
  const options: SubmitOptions = { source: 'hub', announce: true };
  await ingest.submit([...items, forged(alice.cast({ text: 'mine?' }))], { ...options, source: 'local' });
  expect(lines).toEqual([]);
  for (const text of ['one', 'two'])
    await ingest.submit([forged(alice.cast({ text })), alice.cast({ text }).item], options);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, rejected: { bad_signature: 1 } }]);
  await drop();
});
