import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runCommandIn } from './support/command.js';
import {
  bodies,
  idsOf,
  makeNats,
  metric,
  sentIds,
  settle,
  skipped,
  startService,
  stopAll,
} from './support/event-sink.js';
import type { NatsServer } from './support/nats.js';
import { hasNats } from './support/nats-path.js';
import type { Network } from './support/network.js';
import { FIDS, type Seeded } from './support/seed.js';

const DAY_MS = 86_400_000;

describe.runIf(hasNats)('a broker', () => {
  let server: NatsServer;
  let service: { network: Network; seeded: Seeded };
  beforeAll(async () => {
    server = await makeNats();
    await server.start();
    service = await startService(server.url);
  });
  afterAll(stopAll);

  test('gets every event of a stream, in the same order, with the same JSON', async () => {
    const { network, seeded } = service;
    await seeded.send(seeded.erin.cast({ text: ['For ', FIDS.bob, ' 🍅\nin two lines\u2028'] }));
    await seeded.send(...[FIDS.alice, FIDS.bob, FIDS.carol].map((fid) => seeded.frank.follow(fid)));
    await seeded.send(seeded.frank.compactLinks('follow', [FIDS.dan]), seeded.frank.userData(2, 'Frank F.'));
    const [sent, events] = [await settle(service, server), await server.messages()];
    expect(idsOf(sent)).toEqual(idsOf(bodies(events)));
    expect(await metric(network, 'castellan_event_sink_sent_total')).toBe(sent.length);
    await expect.poll(() => metric(network, 'castellan_event_sink_lag_seconds')).toBe(0);

    // Once more, so that both are rendered after the last change.
    await server.manage(({ streams }) => streams.delete('castellan'));
    await network.sql('update event_sink set log_id = 0, part = null');
    const again = await settle(service, server);
    const messages = await server.messages();
    expect(bodies(messages)).toEqual(again);
    expect(messages.length).toBeGreaterThan(40);
    for (const { subject, id, body } of messages) {
      const fid = body.data.user?.fid ?? body.data.author?.fid ?? body.data.fid;
      expect(subject).toBe(`castellan.event.${body.type}.${fid}`);
      expect(id.startsWith(`${body.id}@`)).toBe(true);
    }
  });

  test('has a stream that keeps messages as long as the log, and their ids for two minutes', async () => {
    expect((await server.info()).config).toMatchObject({
      subjects: ['castellan.event.>'],
      storage: 'file',
      retention: 'limits',
      max_age: 7 * DAY_MS * 1e6,
      duplicate_window: 120 * 1e9,
      num_replicas: 1,
    });
  });

  test('gives its messages to the consumer of the page, which goes on where it stopped', async () => {
    const { seeded } = service;
    const page = readFileSync(new URL('../docs/event-sink.md', import.meta.url), 'utf8');
    const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'castellan-consumer-'));
    writeFileSync(join(folder, 'consumer.mjs'), code.replace('nats://127.0.0.1:4222', server.url));
    symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'));
    const castsOf = (await server.messages()).filter(({ body }) => body.type === 'cast.created');
    const consume = () => {
      const child = spawn(process.execPath, ['consumer.mjs'], { cwd: folder });
      let out = '';
      child.stdout.on('data', (data) => {
        out += data;
      });
      return { child, lines: () => out.split('\n').filter((line) => /^\d+-\d+ /.test(line)) };
    };
    const first = consume();
    await expect.poll(() => first.lines().length).toBe(castsOf.length);
    expect(first.lines().map((line) => line.split(' ', 1)[0])).toEqual(castsOf.map(({ body }) => body.id));
    first.child.kill('SIGKILL');
    await seeded.send(seeded.bob.cast({ text: 'for the consumer' }), seeded.bob.follow(FIDS.dan));
    const second = consume();
    await expect.poll(second.lines).toEqual([expect.stringMatching(/^\d+-0 cast.created for the consumer$/)]);
    second.child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  test('is described by castellan doctor', async () => {
    await settle(service, server);
    const { out } = await runCommandIn(service.network, 'doctor', []);
    expect(out).toMatch(
      /^event sink +ok +NATS answers at 127\.0\.0\.1:\d+; the stream castellan has \d+ messages, 1 MB$/m,
    );
    expect(out).toMatch(/^event sink +ok +has all events$/m);
  });

  test('drops what is sent again', async () => {
    const before = await server.messages();
    const sent = await metric(service.network, 'castellan_event_sink_sent_total');
    await service.network.sql('update event_sink set log_id = 0, part = null');
    const events = await settle(service, server);
    await expect
      .poll(() => metric(service.network, 'castellan_event_sink_sent_total'))
      .toBe((sent ?? 0) + events.length);
    expect(await sentIds(server)).toEqual(idsOf(events));
    expect(events).toHaveLength(before.length + 1);
  });
});

describe.runIf(hasNats)('a broker', () => {
  afterEach(stopAll);

  test('that accepts only small messages gets the others, and the loss is counted, also in a batch that fails', async () => {
    const server = await makeNats({ settings: 'max_payload: 2500' });
    await server.start();
    const limit = (max_msg_size: number) =>
      server.manage(({ streams }) => streams.update('castellan', { max_msg_size }));
    await server.manage(({ streams }) => streams.add({ name: 'castellan', subjects: ['castellan.event.>'] }));
    // Holds up everything, so that all of it becomes one batch, whose last event is refused.
    await limit(200);
    const service = await startService(server.url);
    const { network, seeded } = service;
    expect(await skipped(network)).toEqual({ deleted: 0, too_large: 0 });
    await seeded.send(seeded.erin.cast({ text: 'is refused' }));
    await limit(1_450);
    await expect.poll(async () => (await server.messages()).length).toBeGreaterThan(70);
    expect(await server.last()).not.toContain('is refused');
    await limit(-1);
    const events = await settle(service, server);
    const fitting = events.filter((event) => Buffer.byteLength(JSON.stringify(event)) <= 2_500 - 1_024);
    expect(fitting.length).toBeLessThan(events.length);
    expect(await sentIds(server)).toEqual(idsOf(fitting));
    expect(await skipped(network)).toEqual({ deleted: 0, too_large: events.length - fitting.length });
  });
});
