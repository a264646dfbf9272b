import Type from 'typebox';
import { afterEach, expect, test } from 'vitest';
import { type Operation, operation } from '../src/api/http/operation.js';
import { Admission, type AdmissionLimits } from '../src/api/limit/admission.js';
import { operations } from '../src/api/operation-list.js';
import { type Shell, startShell } from './support/http-shell.js';
import { shellOperations } from './support/shell-operation.js';

let shell: Shell;
let admission: Admission | undefined;
afterEach(async () => {
  await shell.stop();
  admission?.stop();
});

const get = (url: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
  shell.server.fastify.inject({ url, headers, remoteAddress });

/** Reads that stay closed: what they return belongs to an app, or is asked of a chain, a model or the name registry. */
const CLOSED =
  /^\/v2\/(social\/(auth_address\/developer_managed|ban\/list|mute\/list|frame\/notifications|frame\/transaction\/pay|login\/nonce|signer|signer\/developer_managed|signer\/list|stream|stream\/ticket|user\/balance|nft\/mint|cast\/embed\/crawl|cast\/conversation\/summary|fungible\/(trades|trending)|user\/(subscribed_to|subscribers|subscriptions_created)|fname\/availability|fungible\/owner\/relevant|fungible\/owner\/relevant\/bulk|fungibles)|onchain\/token\/(balances|metadata|metadata\/batch)|stp\/subscription_check)\/?$|^\/portal\/(app_by_api_key|mini-app|mini-app-faults|cast-check)$/;

test.each(['off', 'hub', 'all'] as const)(
  'with %s, these operations answer without a key, and no others',
  async (publicReads) => {
    shell = await startShell({ publicReads });
    const isOpen = ({ scope, path }: (typeof operations)[number]): boolean =>
      scope === 'read' &&
      (publicReads === 'all' ? !CLOSED.test(path) : publicReads === 'hub' && path.startsWith('/v1/'));
    const answers = { open: 0, closed: 0 };
    for (const one of operations.filter(({ scope }) => scope !== 'public')) {
      const { statusCode } = await shell.server.fastify.inject({ method: one.method, url: one.path });
      expect(statusCode === 401, `${one.method} ${one.path} answers ${statusCode}`).toBe(!isOpen(one));
      answers[isOpen(one) ? 'open' : 'closed'] += 1;
    }
    expect(answers.open).toBe({ off: 0, hub: 41, all: 104 }[publicReads]);
  },
);

test('a key that is wrong is refused, and not taken for none', async () => {
  shell = await startShell({ publicReads: 'all', operations: shellOperations });
  const url = '/v2/test/query/?fid=1';
  expect((await get(url)).json()).toMatchObject({ appId: '00000000-0000-0000-0000-000000000000' });
  for (const headers of [{ 'x-api-key': 'wrong' }, { api_key: 'wrong' }, { authorization: 'Bearer wrong' }])
    expect((await get(url, headers)).json()).toMatchObject({ status: 401, message: /not known/ });
});

test('an address, and all addresses together, have a limit for all reads; keys are not limited by it', async () => {
  const keylessReads = { perAddress: 3, total: 5 };
  shell = await startShell({ publicReads: 'all', operations: shellOperations, keylessReads });
  const urls = ['/v2/test/query/?fid=1', '/v1/testHub?fid=1', '/v2/test/rendered', '/v2/test/query/?fid=2'];
  const statusesOf = async (address: string) => {
    const statuses: number[] = [];
    for (const url of urls) statuses.push((await get(url, {}, address)).statusCode);
    return statuses;
  };
  expect(await statusesOf('192.0.2.1')).toEqual([200, 200, 200, 429]);
  const refused = await get(urls[0] as string);
  expect(refused.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/), 'x-compute-units': '0' });
  expect(refused.json().message).toMatch(/^Without an API key, 3 requests a minute are answered\. Try again in \d+ s/);
  // The two that are left for all.
  expect(await statusesOf('2001:db8::1')).toEqual([200, 200, 429, 429]);
  // Addresses of one network are one, and a forwarded address of an unknown proxy is nobody's.
  expect((await get(urls[0] as string, { 'x-forwarded-for': '203.0.113.9' })).statusCode).toBe(429);
  const key = await shell.key();
  expect((await get(urls[0] as string, { 'x-api-key': key })).statusCode).toBe(200);
});

const LIMITS: AdmissionLimits = { inWork: 4, inWorkPerKey: 2, longPerKey: 128, waiting: 60, waitingPerKey: 30 };

/**
 * Opens a service in which requests are in work until they are released: `held` needs a key unless reads are public, and
 * `open` never does.
 */
const openHeld = async (
  limits: Partial<AdmissionLimits> = {},
  options: ConstructorParameters<typeof Admission>[1] = { keepsSlots: true },
) => {
  const begun: string[] = [];
  const release = new Map<string, () => void>();
  const Query = Type.Object({ name: Type.String() });
  const held = (id: string, access: Pick<Operation, 'limitsAddresses'> & { readonly scope?: 'public' }) =>
    operation({
      ...{ id, path: `/v2/test/${id}/`, tags: ['Test'], title: id, summary: 'Waits until it is released.' },
      ...access,
      cost: { fixed: access.scope === 'public' ? 0 : 1 },
      query: Query,
      response: Query,
      handle: async ({ query }) => {
        begun.push(query.name);
        await new Promise<void>((resolve) => release.set(query.name, resolve));
        return query;
      },
    });
  admission = new Admission({ ...LIMITS, ...limits }, { maxWaitMs: 3_600_000, ...options });
  shell = await startShell({
    publicReads: 'all',
    operations: [held('held', {}), held('open', { scope: 'public', limitsAddresses: true })],
    services: { admission: { work: admission, outside: admission } },
  });
  const send = (name: string, address: string, headers = {}, id = 'held') =>
    get(`/v2/test/${id}/?name=${name}`, headers, address).then(({ statusCode }) => statusCode);
  return { begun, release, send };
};

test.each(['held', 'open'])('a flood from a hundred addresses of %s waits behind every key', async (id) => {
  const { begun, release, send } = await openHeld();
  const flood = Array.from({ length: 100 }, (_, index) => send(`flood${index}`, `192.0.2.${index}`, {}, id));
  // All of them together have what one key has: two in work and thirty in the queue.
  await expect.poll(() => admission?.load).toEqual({ inWork: 2, waiting: 30, refused: 68, slow: 0 });
  const headers = { 'x-api-key': await shell.key() };
  const keyed = ['a', 'b', 'c'].map((name) => send(name, '192.0.2.1', headers));
  // The key gets its two places at once, and the next one that is free goes to it and not to the flood.
  await expect.poll(() => begun.slice(2)).toEqual(['a', 'b']);
  release.get('a')?.();
  await expect.poll(() => begun.slice(4)).toEqual(['c']);
  const timer = setInterval(() => {
    for (const end of release.values()) end();
  }, 5);
  const statuses = await Promise.all(flood).finally(() => clearInterval(timer));
  expect(await Promise.all(keyed)).toEqual([200, 200, 200]);
  expect(statuses.filter((status) => status === 200)).toHaveLength(32);
  expect(statuses.filter((status) => status === 503)).toHaveLength(68);
});

test('a key that is alone keeps all places that are free, and an address never becomes a key', async () => {
  const { begun, release, send } = await openHeld();
  const stranger = send('stranger', '192.0.2.1');
  await expect.poll(() => begun).toEqual(['stranger']);
  const headers = { 'x-api-key': await shell.key() };
  const keyed = ['a', 'b', 'c'].map((name) => send(name, '192.0.2.1', headers));
  // Two would be the share of one key of several.
  await expect.poll(() => begun.slice(1)).toEqual(['a', 'b', 'c']);
  for (const end of release.values()) end();
  expect(await Promise.all([stranger, ...keyed])).toEqual([200, 200, 200, 200]);
});

test.each([
  ['keep their slots', { inWork: 32, inWorkPerKey: 16, waitingPerKey: 32 }, { keepsSlots: true }],
  ['take long', { inWork: 4, longPerKey: 16, waitingPerKey: 32 }, { tickMs: 20 }],
])('an address whose requests %s leaves seven eighths to the others', async (_what, limits, options) => {
  const { begun, release, send } = await openHeld(limits, options);
  const flood = Array.from({ length: 40 }, (_, index) => send(`flood${index}`, '192.0.2.1'));
  // Two keep a slot, or two and as many as began at once take long; four wait.
  await expect.poll(() => admission?.load.waiting).toBe(4);
  await expect.poll(() => admission?.load.refused).toBeGreaterThan(30);
  const heldUp = begun.length;
  expect(heldUp).toBeLessThanOrEqual(4);
  const other = send('other', '192.0.2.2');
  await expect.poll(() => begun.slice(heldUp)).toEqual(['other']);
  const timer = setInterval(() => {
    for (const end of release.values()) end();
  }, 5);
  const statuses = await Promise.all(flood).finally(() => clearInterval(timer));
  expect(await other).toBe(200);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
});
