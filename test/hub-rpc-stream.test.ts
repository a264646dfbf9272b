import { HubEvent, HubEventType } from '@farcaster/core';
import type { ClientReadableStream } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HubStreams } from '../src/event/hub-stream/hub-streams.js';
import { eventIdOf } from '../src/protocol/event/place.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { DAY } from '../src/sample/clock.js';
import type { Signed } from '../src/sample/signed-message.js';
import { RpcClient } from './support/hub-rpc.js';
import { type Network, startNetwork } from './support/network.js';
import { makeTenant } from './support/organization.js';
import { type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
let client: RpcClient;
beforeAll(async () => {
  network = await startNetwork({}, undefined, { hubRpc: {} });
  seeded = await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY);
  client = new RpcClient(network.hubRpc, { 'x-api-key': network.apiKey });
});
afterAll(async () => {
  client.close();
  await network.stop();
});

const write = (...messages: readonly Signed[]) =>
  network.app.core.ingest.submit(
    messages.map(({ item }) => item),
    { source: 'hub', announce: true },
  );

interface Received {
  readonly events: HubEvent[];
  /** `code details`, once the stream has ended. */
  status: string | undefined;
  readonly stream: ClientReadableStream<Buffer>;
}

/** Calls `take` with each event of the log; a stream that was silent for 15 s also has a confirmation. */
const onEvent = (stream: ClientReadableStream<Buffer>, take: (event: HubEvent) => unknown): void => {
  stream.on('data', (bytes: Buffer) => {
    const event = HubEvent.decode(bytes);
    if (event.type !== HubEventType.BLOCK_CONFIRMED) take(event);
  });
};

const read = (request: Parameters<RpcClient['subscribe']>[0], metadata = {}): Received => {
  const stream = client.subscribe(request, metadata);
  const received: Received = { events: [], status: undefined, stream };
  onEvent(stream, (event) => received.events.push(event));
  stream.once('status', ({ code, details }) => {
    received.status = `${code} ${details}`;
  });
  return received;
};

const idsOf = ({ events }: Received): number[] => events.map(({ id }) => id);
const logIds = async (): Promise<number[]> =>
  (await network.sql<{ id: number }>('select id from hub_event where type > 0 order by id')).map(({ id }) =>
    eventIdOf(id),
  );

test('what is stored while the log is replayed comes once, in order, without a gap', async () => {
  const { bob } = seeded;
  for (let round = 0; round < 10; round++)
    await write(...Array.from({ length: 20 }, (_, n) => bob.cast({ text: `before ${round} ${n}` })));
  const writing = (async () => {
    for (let n = 0; n < 200; n++) await write(bob.cast({ text: `meanwhile ${n}` }));
  })();
  const readers: Received[] = [];
  for (let n = 0; n < 8; n++) {
    readers.push(read({ fromId: 0 }));
    await write(bob.cast({ text: `reader ${n}` }));
  }
  await writing;
  const all = await logIds();
  expect(all.length).toBeGreaterThan(400);
  for (const reader of readers) await expect.poll(() => reader.events.length, { timeout: 20_000 }).toBe(all.length);
  for (const reader of readers) expect(idsOf(reader)).toEqual(all);
  for (const { stream } of readers) stream.cancel();
}, 60_000);

test('a reader goes on from any kept id, also in the middle of a page and at the end', async () => {
  const all = await logIds();
  const from = all[Math.floor(all.length / 3)] as number;
  const middle = read({ fromId: from });
  await expect.poll(() => idsOf(middle).at(-1)).toBe(all.at(-1));
  expect(idsOf(middle)).toEqual(all.filter((id) => id >= from));
  const end = read({ fromId: (all.at(-1) as number) + 1 });
  const now = read({});
  await Promise.all([end, now].map(({ stream }) => new Promise((resolve) => stream.once('metadata', resolve))));
  await write(seeded.carol.cast({ text: 'after the end' }));
  const next = (await logIds()).at(-1);
  for (const reader of [end, now]) await expect.poll(() => idsOf(reader)).toEqual([next]);
  for (const { stream } of [middle, end, now]) stream.cancel();
});

test('only the types that are asked for are sent; hubs before snapchain sent all where none is named, and so it is here', async () => {
  const { dan, erin } = seeded;
  const first = (await logIds()).at(-1) as number;
  await write(dan.cast({ text: 'of a type' }), erin.userData(3, 'A bio'));
  await network.app.core.ingest.submit([dan.rent(1)], { source: 'hub', announce: true });
  const all = await logIds();
  const merges = read({ fromId: first + 1, eventTypes: [HubEventType.MERGE_MESSAGE] });
  const chain = read({ fromId: first + 1, eventTypes: [HubEventType.MERGE_ON_CHAIN_EVENT] });
  const unknown = read({ fromId: first + 1, eventTypes: [77 as never] });
  const every = read({ fromId: first + 1 });
  await expect.poll(() => every.events.length).toBe(3);
  await expect.poll(() => merges.events.length).toBe(2);
  await expect.poll(() => chain.events.map(({ id }) => id)).toEqual([all.at(-1)]);
  expect(unknown.events).toEqual([]);
  for (const { stream } of [merges, chain, unknown, every]) stream.cancel();
});

test('ids outside of the log are OUT_OF_RANGE, with the first that is kept, and other shards are refused', async () => {
  const newest = (await logIds()).at(-1) as number;
  const above = read({ fromId: newest + 1_000_000 });
  await expect.poll(() => above.status).toMatch(/^11 from_id is above/);
  await network.sql('update event_log_start set log_id = 5, at = now()');
  await network.sql('delete from hub_event where id <= 5');
  const below = client.subscribe({ fromId: eventIdOf(5) });
  const ended = await new Promise<{ code: number; details: string; metadata: { get(name: string): unknown } }>(
    (resolve) => below.once('status', resolve as never),
  );
  expect([ended.code, ended.details]).toEqual([11, expect.stringMatching(/begins at event 98304\./)]);
  expect(ended.metadata.get('x-first-event-id')).toEqual(['98304']);
  const kept = read({ fromId: eventIdOf(6) });
  const beginning = read({ fromId: 0 });
  for (const reader of [kept, beginning]) await expect.poll(() => idsOf(reader).at(-1)).toBe(newest);
  expect(idsOf(kept)).toEqual(idsOf(beginning));
  const foreign = read({ shardIndex: 2 });
  await expect.poll(() => foreign.status).toMatch(/^3 Invalid shard id/);
  const own = read({ shardIndex: 1, fromId: newest });
  await expect.poll(() => idsOf(own)).toEqual([newest]);
  for (const { stream } of [kept, beginning, own]) stream.cancel();
});

test('a reader that falls behind gets everything once it reads, and holds up no other', async () => {
  const { frank } = seeded;
  const newest = (await logIds()).at(-1) as number;
  const slow = client.subscribe({ fromId: newest + 1 });
  const fast = read({ fromId: newest + 1 });
  await new Promise((resolve) => slow.once('metadata', resolve));
  slow.pause();
  const text = 'x'.repeat(300);
  for (let n = 0; n < 60; n++)
    await write(...Array.from({ length: 50 }, (_, m) => frank.cast({ text: `${n} ${m} ${text}` })));
  const all = (await logIds()).filter((id) => id > newest);
  expect(all).toHaveLength(3_000);
  await expect.poll(() => fast.events.length, { timeout: 20_000 }).toBe(3_000);
  const late: number[] = [];
  onEvent(slow, ({ id }) => late.push(id));
  slow.resume();
  await expect.poll(() => late.length, { timeout: 20_000 }).toBe(3_000);
  expect(late).toEqual(all);
  for (const stream of [slow, fast.stream]) stream.cancel();
}, 60_000);

test('a reader hears at least every 20 s that it has everything, if it asks for confirmed blocks', async () => {
  const { db } = network.app.core;
  const { reads } = network.app.services;
  const streams = new HubStreams({ db, reads, clock: Date.now, failed: () => undefined, heartbeatMs: 30 });
  streams.start();
  const gone = new AbortController();
  const heard: HubEvent[] = [];
  const output = {
    gone: gone.signal,
    write: (bytes: Buffer) => heard.push(HubEvent.decode(bytes)) > 0,
    drained: async () => undefined,
  };
  const position = await streams.findPosition({ fromId: undefined });
  const common = { keyId: undefined, subject: 'a test', position };
  const running = streams.run(
    { ...common, types: new Set([HubEventType.BLOCK_CONFIRMED, HubEventType.MERGE_MESSAGE]) },
    output,
  );
  await expect.poll(() => heard.length).toBeGreaterThan(2);
  expect(new Set(heard.map(({ type, id }) => `${type} ${id}`))).toEqual(
    new Set([`${HubEventType.BLOCK_CONFIRMED} ${eventIdOf(position)}`]),
  );
  await write(seeded.grace.cast({ text: 'heard' }));
  await expect.poll(() => heard.some(({ type }) => type === HubEventType.MERGE_MESSAGE)).toBe(true);
  const { id } = heard.find(({ type }) => type === HubEventType.MERGE_MESSAGE) as HubEvent;
  await expect.poll(() => heard.at(-1)).toMatchObject({ type: HubEventType.BLOCK_CONFIRMED, id });
  gone.abort();
  await running;
  expect(streams.size).toBe(0);
  await streams.stop();
});

test('an address without a key has ten streams, however fast it opens them', async () => {
  const readers = Array.from({ length: 11 }, () => client.subscribe({}, { 'x-api-key': '' }));
  const refused = await Promise.race(
    readers.map(
      (stream) =>
        new Promise<string>((resolve) => stream.once('status', ({ code, details }) => resolve(`${code} ${details}`))),
    ),
  );
  expect(refused).toMatch(/^14 You have 10 streams already/);
  for (const stream of readers) stream.cancel();
  await expect.poll(() => network.app.services.hubStreams.size).toBe(0);
  // What is gone leaves its place to others.
  const again = client.subscribe({ fromId: 0 }, { 'x-api-key': '' });
  await new Promise((resolve) => again.once('data', resolve));
  again.cancel();
});

test('a key that is revoked loses its streams', async () => {
  const { db } = network.app.core;
  const { reads } = network.app.services;
  const streams = new HubStreams({ db, reads, clock: Date.now, failed: () => undefined, heartbeatMs: 30 });
  streams.start();
  const tenant = await makeTenant(network, 'to be revoked');
  const output = { gone: new AbortController().signal, write: () => true, drained: async () => undefined };
  const reader = { keyId: tenant.keyId, subject: tenant.keyId };
  const leave = streams.enter(reader);
  const position = await streams.findPosition({ fromId: undefined });
  const running = streams.run({ ...reader, types: new Set(), position }, output);
  const ended = running.catch((error: Error) => error.message);
  await network.sql('update api_key set revoked_at = now() where id = $1', [tenant.keyId]);
  expect(await ended).toMatch(/was revoked/);
  leave();
  expect(streams.size).toBe(0);
  await streams.stop();
});
