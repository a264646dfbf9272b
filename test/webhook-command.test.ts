import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { diagnoseWebhooks } from '../src/cli/diagnose/webhook.js';
import { runCommandIn } from './support/command.js';
import { openTestDatabase } from './support/database.js';
import { type Network, startNetwork } from './support/network.js';
import { makeTenant } from './support/organization.js';
import { type Received, type Receiver, startReceiver } from './support/receiver.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

const PATH = '/v2/social/webhook/';
const UNKNOWN = '00000000-0000-4000-8000-00000000abcd';
const HOUR_MS = 3_600_000;

let network: Network;
let seeded: Seeded;
let receiver: Receiver;
let answer: (response: ServerResponse) => void;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
});
afterAll(() => network.stop());
beforeEach(async () => {
  answer = (response) => void response.end();
  receiver = await startReceiver((_request, response) => answer(response));
});
afterEach(async () => {
  for (const { webhook_id } of (await network.get(`${PATH}list/`)).body.webhooks) {
    await network.send('DELETE', PATH, { webhook_id });
  }
  await receiver.stop();
});

const run = (name: string, ...args: string[]) => runCommandIn(network, name, args);
const make = async (subscription: object, query = ''): Promise<{ id: string; secret: string }> => {
  const body = { name: 'a test', url: `${receiver.url}/hook${query}`, subscription };
  const { webhook } = (await network.send('POST', PATH, body)).body;
  return { id: webhook.webhook_id, secret: webhook.secrets[0].value };
};
const states = async (id: string): Promise<string[]> => {
  const text = 'select state from webhook_delivery where webhook_id = $1 order by log_id, part';
  return (await network.sql<{ state: string }>(text, [id])).map(({ state }) => state);
};
const texts = (): string[] => receiver.received.map(({ body }) => JSON.parse(body).data.text).sort();
const hashOf = (cast: { readonly hash: Uint8Array }): string => Buffer.from(cast.hash).toString('hex');

test('webhook test sends a signed sample, and shows what the receiver answers', async () => {
  const { id, secret } = await make({});
  const sent = await run('webhook test', id, '--type', 'follow.created', '--body');
  expect(sent).toMatchObject({ code: 0, out: expect.stringMatching(/^200 +\d+ ms +-$/m) });
  const [{ headers, body }] = receiver.received as [Received];
  expect(sent.out.endsWith(`\n${body}`)).toBe(true);
  expect(JSON.parse(body)).toMatchObject({ type: 'follow.created' });
  expect(headers['x-service-signature']).toBe(createHmac('sha512', secret).update(body).digest('hex'));
  answer = (response) => void response.writeHead(418).end();
  const failed = await run('webhook test', id);
  expect(failed).toMatchObject({ code: 1, out: expect.stringMatching(/^418 +\d+ ms +.*418/m) });
  expect(failed.out).not.toContain('cast.created');
  expect(JSON.parse(receiver.received[1]?.body as string)).toMatchObject({ type: 'cast.created' });
  expect(await states(id)).toEqual([]);
});

test('webhook replay goes through all pages of the log, and the service sends what they hold', async () => {
  const from = new Date().toISOString();
  await seeded.send(seeded.heidi.cast({ text: 'first' }));
  // More rows than one page; they hold nothing that can be sent.
  await network.sql("insert into hub_event (fid, type, body) select 1, 1, '\\x0fff' from generate_series(1, 4500)");
  await seeded.send(seeded.heidi.cast({ text: 'last' }));
  const { id } = await make({ 'cast.created': { author_fids: [FIDS.heidi] } });
  const replayed = await run('webhook replay', id, '--from', from);
  expect(replayed).toMatchObject({ code: 0, out: 'Events made due: 2. The running service sends them.' });
  expect(replayed.progress).toHaveLength(3);
  const end = replayed.progress.at(-1);
  expect(end?.done).toBe(end?.total);
  await expect.poll(texts).toEqual(['first', 'last']);
  const last = receiver.received.find(({ body }) => body.includes('"last"')) as Received;
  const again = await run('webhook replay', id, '--from', String(last.headers['x-service-event-id']));
  expect(again.out).toBe('Events made due: 1. The running service sends them.');
  await expect.poll(texts).toEqual(['first', 'last', 'last']);
});

test('webhook replay sends an event again that is being sent meanwhile', async () => {
  const { id } = await make({ 'cast.created': { author_fids: [FIDS.heidi] } });
  let waiting: ServerResponse | undefined;
  answer = (response) => {
    waiting = response;
  };
  await seeded.send(seeded.heidi.cast({ text: 'slow' }));
  await expect.poll(() => waiting).toBeDefined();
  const [{ headers }] = receiver.received as [Received];
  const replayed = await run('webhook replay', id, '--from', String(headers['x-service-event-id']));
  expect(replayed.out).toBe('Events made due: 1. The running service sends them.');
  answer = (response) => void response.end();
  waiting?.end();
  await expect.poll(texts).toEqual(['slow', 'slow']);
  await expect.poll(() => states(id)).toEqual(['delivered']);
});

test('webhook replay --failed sends what was given up, and nothing to a webhook that is off', async () => {
  const { id } = await make({ 'cast.created': { author_fids: [FIDS.grace] } });
  await seeded.send(...['one', 'two'].map((text) => seeded.grace.cast({ text })));
  await expect.poll(() => states(id)).toEqual(['delivered', 'delivered']);
  await network.sql("update webhook_delivery set state = 'dead' where webhook_id = $1", [id]);
  await network.send('PATCH', PATH, { webhook_id: id, active: 'false' });
  await expect(run('webhook replay', id, '--failed')).rejects.toThrow('is switched off');
  expect(await states(id)).toEqual(['dead', 'dead']);
  await network.send('PATCH', PATH, { webhook_id: id, active: 'true' });
  expect((await run('webhook replay', id, '--failed')).out).toBe('Events made due: 2. The running service sends them.');
  await expect.poll(() => states(id)).toEqual(['delivered', 'delivered']);
  expect(texts()).toEqual(['one', 'one', 'two', 'two']);
  expect((await run('webhook replay', id, '--failed')).out).toBe('Events made due: 0. The running service sends them.');
  const ended = AbortSignal.abort();
  await expect(runCommandIn(network, 'webhook replay', [id, '--failed'], ended)).rejects.toThrow('abort');
});

test('webhook match tells filter by filter why a cast matches or not', async () => {
  const { id } = await make({
    'cast.created': { mentioned_fids: [FIDS.bob], text: 'potato', exclude_author_fids: [FIDS.dan] },
  });
  const { out, notes } = await run('webhook match', id, `0x${hashOf(seeded.casts.hello).toUpperCase()}`);
  expect(out).toMatch(/^mentioned_fids +alternative +yes +\S/m);
  expect(out).toMatch(/^text +alternative +no +potato is not found in the text\.$/m);
  expect(out).toMatch(/^exclude_author_fids +condition +yes +\S/m);
  expect(out).toMatch(/^It matches\. mentioned_fids: /m);
  expect(notes).toBe('');
  const deleted = await run('webhook match', id, hashOf(seeded.casts.hello), '--type', 'cast.deleted');
  expect(deleted.out).toBe('It does not match. The webhook is not subscribed to cast.deleted.');
  await network.send('PATCH', PATH, { webhook_id: id, active: 'false' });
  expect((await run('webhook match', id, hashOf(seeded.casts.hello))).notes).toContain('switched off');
  await expect(run('webhook match', id, '00'.repeat(20))).rejects.toThrow('No cast with the hash 0x0000');
});

test.each([
  [['webhook test', UNKNOWN], /no webhook 00000000.*castellan webhook list/],
  [['webhook replay', UNKNOWN, '--failed'], /no webhook 00000000/],
  [['webhook match', UNKNOWN, '00'.repeat(20)], /no webhook 00000000/],
  [['webhook test', 'x'], /"x" is no id of a webhook/],
  [['webhook test', UNKNOWN, '--type', 'cast.made'], /--type takes one of cast.created, .*not "cast.made"/],
  [
    ['webhook match', UNKNOWN, '00'.repeat(20), '--type', 'user.created'],
    /--type takes one of cast.created, cast.dele/,
  ],
  [['webhook match', UNKNOWN, '0x12'], /"0x12" is no hash of a cast/],
  [['webhook replay', UNKNOWN], /--from, or --failed/],
  [['webhook replay', UNKNOWN, '--failed', '--from', '1-0'], /--from, or --failed/],
  [['webhook replay', UNKNOWN, '--from', 'yesterday'], /--from takes the id of an event, like 4711-0, or a time/],
] as const)('%j is refused with what to do', async ([name, ...args], message) => {
  await expect(run(name, ...args)).rejects.toThrow(message);
});

test('a start of a replay that is not in the log is refused', async () => {
  const { id } = await make({});
  await expect(run('webhook replay', id, '--from', '999999999-0')).rejects.toThrow('--from is after');
  await network.sql("update event_log_start set log_id = 2, at = '2026-01-01T00:00:00Z'");
  await expect(run('webhook replay', id, '--from', '2-0')).rejects.toThrow('What --from asks for was deleted');
  await expect(run('webhook replay', id, '--from', '2025-12-31')).rejects.toThrow('What --from asks for was deleted');
  await network.sql('update event_log_start set log_id = 0, at = null');
});

const diagnose = (ahead = 0) => diagnoseWebhooks(async () => network.app.core.db, Date.now() + ahead);

test('the doctor tells of webhooks that fail, were switched off, or have given events up', async () => {
  await expect.poll(() => diagnose()).toMatchObject([{ result: 'ok' }, { result: 'ok', text: 'there are none' }]);
  const { id } = await make({ 'cast.created': { author_fids: [FIDS.carol] } }, '?token=hidden');
  answer = (response) => void response.writeHead(500).end();
  await seeded.send(seeded.carol.cast({ text: 'not taken' }));
  await expect.poll(() => network.sql('select 1 from webhook where failing_since is not null')).toHaveLength(1);
  expect((await diagnose())[1]).toMatchObject({
    result: 'ok',
    text: '1 of 1 are on; events waiting: 1, given up: 0',
  });
  const [, failing] = await diagnose(2 * HOUR_MS);
  expect(failing).toMatchObject({
    check: 'webhooks',
    result: 'warn',
    text: expect.stringContaining(`${id} (${receiver.url}/hook): fails since 20`),
    advice: expect.stringContaining(`castellan webhook test ${id}`),
  });
  expect(JSON.stringify(failing)).not.toContain('hidden');

  await network.sql("update webhook_delivery set state = 'dead' where webhook_id = $1", [id]);
  expect((await diagnose())[1]).toMatchObject({
    result: 'warn',
    text: expect.stringContaining('): events given up: 1'),
    advice: expect.stringContaining(`castellan webhook replay ${id} --failed`),
  });
  await network.sql("update webhook set active = false, inactive_reason = 'Switched off: gone.' where id = $1", [id]);
  expect((await diagnose())[1]).toMatchObject({
    result: 'warn',
    text: expect.stringContaining('): Switched off: gone. Events given up: 1'),
    advice: expect.stringMatching(/webhook test.*PATCH.*webhook replay/),
  });
});

test('operators see the webhooks of all organizations that do not deliver, page by page', async () => {
  const failing = async (query = '') => {
    const { status, body } = await network.get(`/operator/webhooks${query}`);
    expect(status).toBe(200);
    return body as { webhooks: { webhook_id: string }[]; next: { cursor: string | null } };
  };
  const customer = await makeTenant(network, 'Harbor Labs');
  const other = await network.send(
    'POST',
    '/v2/social/webhook/',
    { name: 'of a customer', url: receiver.url, subscription: {} },
    customer.headers,
  );
  expect((await failing()).webhooks).toEqual([]);
  const { id } = await make({ 'cast.created': { author_fids: [FIDS.carol] } }, '?token=hidden');
  answer = (response) => void response.writeHead(500).end();
  await seeded.send(seeded.carol.cast({ text: 'not taken either' }));
  await expect
    .poll(() => failing())
    .toMatchObject({ webhooks: [{ webhook_id: id, failing_since: expect.any(String), dead: 0 }] });
  await network.sql("update webhook_delivery set state = 'dead' where webhook_id = $1", [id]);
  const otherId = other.body.webhook.webhook_id;
  await network.sql("update webhook set active = false, inactive_reason = 'Switched off: gone.' where id = $1", [
    otherId,
  ]);
  const first = await failing('?limit=1');
  expect(first.webhooks).toMatchObject([
    { webhook_id: otherId, active: false, organization: { uuid: customer.id, name: 'Harbor Labs' } },
  ]);
  const second = await failing(`?limit=1&cursor=${first.next.cursor}`);
  expect(second).toMatchObject({
    webhooks: [{ webhook_id: id, host: new URL(receiver.url).host, waiting: 0, dead: 1 }],
    next: { cursor: null },
  });
  expect(JSON.stringify(second)).not.toContain('hidden');
  await network.send('DELETE', PATH, { webhook_id: otherId }, customer.headers);
});

test('the doctor tells of events that wait to be handed to webhooks', async () => {
  const { db, drop } = await openTestDatabase();
  const diagnoseLog = async () => (await diagnoseWebhooks(async () => db, Date.now()))[0];
  expect(await diagnoseLog()).toMatchObject({ check: 'event log', result: 'ok' });
  await db.run("insert into hub_event (fid, type, body) values (1, 1, '\\x00')");
  expect(await diagnoseLog()).toMatchObject({ result: 'ok' });
  await db.run("update hub_event set at = at - interval '2 minutes'");
  expect(await diagnoseLog()).toMatchObject({
    result: 'warn',
    text: expect.stringMatching(/^events wait since \d{4}-/),
    advice: expect.stringContaining('castellan serve'),
  });
  await drop();
  expect(await diagnoseLog()).toBeUndefined();
});
