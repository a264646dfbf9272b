import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildProgram, castellan, type Service, TestWorkspace } from './support/castellan.js';
import { associate } from './support/mini-app.js';
import { type Receiver, startReceiver } from './support/receiver.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const work = new TestWorkspace();
let store: Record<string, string>;
let service: Service;
let uuid: string;
let target: Receiver;
/** What the mini app does: hold its manifest back, refuse events, or take them. */
let behavior: 'silent' | 'refusing' | 'well' = 'well';
let taken: string[] = [];

const manifest = async (domain: string): Promise<string> =>
  JSON.stringify({
    accountAssociation: await associate(privateKeyToAccount(`0x${'33'.repeat(32)}`), 424_242, domain),
    miniapp: { version: '1', name: 'x', webhookUrl: `http://${domain}/hook` },
  });
const start = async (): Promise<void> => {
  service = await work.startDev({ ...store, CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
};
const run = (...args: string[]) => castellan(args, store, work.folder);
const send = async (method: string, path: string, body?: object) => {
  const key = readFileSync(join(store.CASTELLAN_DATA_DIR as string, 'api-key'), 'utf8').trim();
  const response = await fetch(`http://127.0.0.1:${service.environment.PORT}${path}`, {
    method,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the test reads members of whatever came
  return { status: response.status, body: (await response.json()) as any };
};
const tell = (event: string) =>
  send('POST', '/v2/social/app_host/user/event/', {
    app_domain: `localhost:${target.port}`,
    fid: 1,
    signer_uuid: uuid,
    event,
  });

beforeAll(async () => {
  await buildProgram();
  await work.writeSample('small.ndjson', { accounts: 4, casts: 8, reactions: 8, follows: 6 });
  target = await startReceiver(async ({ path, body }, response) => {
    if (path !== '/hook') {
      if (behavior !== 'silent') response.end(await manifest(`localhost:${target.port}`));
      return;
    }
    if (behavior === 'refusing') {
      response.writeHead(503).end();
      return;
    }
    taken.push(JSON.parse(Buffer.from(JSON.parse(body).payload, 'base64url').toString()).event);
    response.end();
  });
  store = await work.newStore();
  await start();
  expect((await run('import', 'small.ndjson')).code).toBe(0);
  uuid = (await send('POST', '/v2/social/signer/')).body.signer_uuid;
  expect((await run('signer', 'approve', uuid, '--fid', '1')).code).toBe(0);
});
afterAll(async () => {
  await target.stop();
  await work.clear();
});

test('loopback access is worth no line where only this machine reaches the service', () => {
  expect(`${service.out()}${service.err()}`).not.toContain('CASTELLAN_ALLOW_LOOPBACK_TARGETS');
});

test('an event survives a kill before its delivery and arrives once', async () => {
  behavior = 'silent';
  taken = [];
  const before = target.received.length;
  const telling = tell('notifications_enabled').catch((error: unknown) => error);
  await expect.poll(() => target.received.length).toBe(before + 1);
  service.child.kill('SIGKILL');
  expect(await telling).toBeInstanceOf(Error);
  await service.ended;
  behavior = 'well';
  await start();
  await expect.poll(() => taken, { timeout: 40_000 }).toEqual(['notifications_enabled']);
  // The receiver has the event before the service has its answer and notes it: the state follows a little later.
  const state = async () => (await send('GET', '/v2/social/app_host/user/state/?fid=1')).body.notifications_enabled;
  await expect.poll(state).toMatchObject([{ domain: `localhost:${target.port}`, status: 'valid' }]);
  expect(taken).toHaveLength(1);
});

test.each(['beside the service', 'on its own'])('pending events are listed and retried, %s', async (where) => {
  behavior = 'refusing';
  taken = [];
  const { status, body } = await tell('frame_added');
  const id = /delivery ([0-9a-f-]{36})/.exec(body.message)?.[1] as string;
  expect([status, id]).toEqual([502, expect.any(String)]);
  if (where === 'on its own') {
    service.child.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  }
  expect((await run('delivery', 'list')).err).toContain('No event was given up');
  expect((await run('delivery', 'list', '--waiting')).out).toMatch(
    new RegExp(`^${id} +localhost:\\d+ +1 +frame_added +\\d+ .*answered 503`, 'm'),
  );
  // Still refused: on a slow machine its own next try might come before the command, and leave nothing to retry.
  expect(await run('delivery', 'retry', id)).toMatchObject({ code: 0, out: '1 event is tried again.\n' });
  behavior = 'well';
  if (where === 'on its own') await start();
  await expect.poll(() => taken, { timeout: 60_000 }).toEqual(['frame_added']);
  const gone = await run('delivery', 'retry', id);
  expect([gone.code, gone.err]).toEqual([1, expect.stringContaining(`no event ${id}`)]);
});

test('invalid arguments are reported', async () => {
  for (const args of [[], ['nonsense'], ['--all', '00000000-0000-4000-8000-000000000000']]) {
    expect((await run('delivery', 'retry', ...args)).code).toBe(2);
  }
});
