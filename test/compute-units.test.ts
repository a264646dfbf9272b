import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Call, Meter, Usage } from '../src/billing/usage/meter.js';
import { AppError } from '../src/error.js';
import { type Shell, startShell } from './support/http-shell.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { shellOperations } from './support/shell-operation.js';

const HEADER = 'x-compute-units';

describe('over HTTP', () => {
  let network: Network;
  let seeded: Seeded;
  beforeAll(async () => {
    network = await startNetwork();
    seeded = await seedBasics(network.load);
  });
  afterAll(() => network.stop());

  const told = ({ status, headers }: TestResponse) => [status, headers.get(HEADER)];
  const get = async (path: string, headers?: Record<string, string>) => told(await network.get(path, headers));
  const hello = () => `0x${Buffer.from(seeded.casts.hello.hash).toString('hex')}`;

  test('one look-up has a price', async () => {
    expect(await get('/v2/social/user/by_username?username=alice')).toEqual([200, '2']);
    expect(await get(`/v2/social/cast?type=hash&identifier=${hello()}`)).toEqual([200, '4']);
  });

  test.each([
    ['2', '1'],
    ['2,3,4', '3'],
    ['2,3,999999', '3'],
    [Array.from({ length: 100 }, (_, at) => at + 1).join(','), '100'],
  ])('users %s cost %s', async (fids, units) => {
    expect(await get(`/v2/social/user/bulk?fids=${fids}`)).toEqual([200, units]);
  });

  test('a list costs by the limit, which has a default, and not by what it holds', async () => {
    const path = `/v2/social/feed/user/casts?fid=${FIDS.alice}`;
    expect(await get(path)).toEqual([200, '100']);
    expect(await get(`${path}&limit=1`)).toEqual([200, '4']);
    expect(await get(`${path}&limit=150`)).toEqual([200, '600']);
    expect(await get(`/v2/social/cast/conversation?type=hash&identifier=${hello()}`)).toEqual([200, '164']);
  });

  test('the hub costs 200 a page, and little for one message', async () => {
    expect(await get(`/v1/castsByFid?fid=${FIDS.alice}`)).toEqual([200, '200']);
    expect(await get(`/v1/castsByFid?fid=${FIDS.alice}&pageSize=1`)).toEqual([200, '200']);
    expect(await get(`/v1/castById?fid=${FIDS.alice}&hash=${hello()}`)).toEqual([200, '2']);
  });

  test('the items of a body count, and so does a fixed part', async () => {
    const ban = (fids: number[]) => network.send('POST', '/v2/social/ban', { fids });
    expect(told(await ban([FIDS.heidi]))).toEqual([200, '11']);
    expect(told(await ban([FIDS.heidi, FIDS.grace, FIDS.frank]))).toEqual([200, '13']);
  });

  test('what was looked for in vain costs the same', async () => {
    expect(await get('/v2/social/user/by_username?username=nobody')).toEqual([404, '2']);
    expect(await get(`/v1/castById?fid=${FIDS.alice}&hash=0x${'00'.repeat(20)}`)).toEqual([404, '2']);
  });

  test('what is refused before the work costs nothing', async () => {
    expect(await get('/v2/social/user/bulk?fids=one')).toEqual([400, '0']);
    expect(await get(`/v2/social/user/bulk?fids=${'1,'.repeat(100)}1`)).toEqual([400, '0']);
    expect(await get('/v2/social/feed/user/casts?fid=2&limit=151')).toEqual([400, '0']);
    expect(await get('/v1/castsByFid')).toEqual([400, '0']);
    expect(await get('/v2/social/user/bulk?fids=2', { 'x-api-key': 'wrong' })).toEqual([401, '0']);
    expect(await network.send('POST', '/v2/social/user/bulk', {}).then(told)).toEqual([405, '0']);
  });

  test('what a service does not offer costs nothing', async () => {
    // It has no language model.
    expect(await get('/v2/social/cast/conversation/summary/?identifier=0x1')).toEqual([501, '0']);
  });

  test('what takes no key tells no cost', async () => {
    expect(await get('/health/live')).toEqual([200, null]);
    expect(await get('/v2/social/nft/metadata/no-uuid/1')).toEqual([400, null]);
  });

  test('pages of other origins can read it', async () => {
    const { headers } = await network.get('/v2/social/user/bulk?fids=2', { origin: 'https://app.example' });
    const exposed = headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining([HEADER, 'x-compute-units-used', 'x-compute-units-limit', 'x-compute-units-reset']),
    );
  });

  test('the document says it in advance: each answer costs what it says', async () => {
    const { body: document } = await network.get('/openapi.json');
    const bulk = document.paths['/v2/social/user/bulk/'].get;
    expect(bulk['x-compute-units']).toEqual({ base: 0, each: 1, per: 'fids', in: 'query', most: 100 });
    expect(bulk.description).toMatch(/\n\nCosts 1 compute unit for each item of `fids`: 100 at most\.$/);
    expect(bulk.responses['200'].headers[HEADER]).toEqual({ $ref: '#/components/headers/ComputeUnits' });
    expect(document.paths['/v1/castsByFid'].get['x-compute-units']).toBe(200);
    expect(document.info.description).toContain('/docs/costs');
    const prices = await (await fetch(`${network.url}/docs/costs`)).text();
    expect(prices).toContain('<code>GET /v1/castsByFid</code></td><td>200 compute units</td>');
  });
});

/** What stands between the shell and the meter, held with one that writes down what it is told. */
describe('the meter', () => {
  const begun: Call[] = [];
  const ended: [Call, number | null][] = [];
  let answer: () => ReturnType<Meter['begin']>;
  const meter: Meter = {
    begin: (call) => {
      begun.push(call);
      return answer();
    },
    end: (call, units) => ended.push([call, units]),
    start: () => undefined,
    stop: async () => undefined,
  };
  let shell: Shell;
  let key: string;
  let url: string;
  beforeAll(async () => {
    shell = await startShell({ operations: shellOperations, services: { meter } });
    key = await shell.key();
    url = `http://127.0.0.1:${await shell.server.listen({ host: '127.0.0.1', port: 0 })}`;
  });
  afterAll(() => shell.stop());
  beforeEach(() => {
    begun.length = 0;
    ended.length = 0;
    answer = () => undefined;
  });

  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}${path}`, { ...init, headers: { 'x-api-key': key, ...init.headers } });
    await response.arrayBuffer();
    return response;
  };
  const outcome = () => ended.map(([{ operation, units: begun }, units]) => [operation, begun, units]);

  test('gets key, operation and units before the handler runs, and the final units once after it', async () => {
    expect((await ask('/v2/test/query?fid=1&limit=7')).status).toBe(200);
    const caller = await shell.services.authenticator.authenticate(key);
    const { organizationId, keyId, planId } = caller;
    expect(begun).toEqual([{ organizationId, keyId, planId, operation: 'test-query', units: 14 }]);
    expect(ended).toEqual([[begun[0], 14]]);
  });

  test.each([
    ['/v2/test/outcome', 'test-outcome', 1],
    ['/v2/test/unlisted', 'test-unlisted', 1],
    ['/v2/test/crash', 'test-crash', null],
  ])('%s ends once, with what it costs in the end', async (path, operation, units) => {
    const response = await ask(path);
    // The shell's own check of answers turns a status that an operation does not list into 500, after the meter.
    expect(response.headers.get(HEADER)).toBe(String(units ?? 0));
    expect(outcome()).toEqual([[operation, 1, units]]);
  });

  test('hears nothing of requests that are refused before the work', async () => {
    await ask('/v2/test/query?fid=none');
    await ask('/v2/test/query?fid=1', { headers: { 'x-api-key': 'wrong' } });
    await ask('/v2/test/body', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } });
    await ask('/health/live');
    expect([begun, ended]).toEqual([[], []]);
  });

  test('counts a request at full cost, once, when the client disconnects before the response', async () => {
    const leaving = new AbortController();
    const asked = ask('/v2/test/slow?ms=300', { signal: leaving.signal });
    await expect.poll(() => begun.length).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toThrow('aborted');
    expect(ended).toEqual([]);
    await expect.poll(outcome).toEqual([['test-slow', 1, 1]]);
  });

  test('may answer asynchronously', async () => {
    answer = async () => undefined;
    const response = await ask('/v2/test/rendered');
    expect([response.status, response.headers.get(HEADER)]).toEqual([200, '1']);
    expect(outcome()).toEqual([['test-rendered', 1, 1]]);
  });

  test.each([false, true])('refuses, and that costs nothing (later: %s)', async (later) => {
    const refusal = new AppError('payment_required', 'PaymentRequired', 'All compute units are used.');
    answer = () => {
      if (later) return Promise.reject(refusal);
      throw refusal;
    };
    const response = await ask('/v2/test/rendered');
    expect([response.status, response.headers.get(HEADER)]).toEqual([402, '0']);
    expect([begun.length, ended]).toEqual([1, []]);
  });

  test.each([
    [79, null],
    [80, '80'],
    [100, '100'],
  ])('%i units of 100: warned is %s', async (used, warned) => {
    const standing: Usage = { used, limit: 100, resetsAt: new Date('2026-12-01T00:00:00Z') };
    answer = () => standing;
    const { headers } = await ask('/v2/test/rendered');
    expect(headers.get('x-compute-units-used')).toBe(warned);
    expect(headers.get('x-compute-units-limit')).toBe(warned === null ? null : '100');
    expect(headers.get('x-compute-units-reset')).toBe(warned === null ? null : '2026-12-01');
  });
});
