import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../src/access/key.js';
import { HOUR_MS } from '../src/duration.js';
import { jobList } from '../src/job/job-list.js';
import { insertApp } from '../src/store/access/app.js';
import { insertOrganization } from '../src/store/access/organization.js';
import { keyWith } from './support/app.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';

const LIST = '/portal/requests';
const READ = '/v2/social/user/bulk/?fids=1';
const idOf = ({ headers }: TestResponse): string => headers.get('x-request-id') as string;

let network: Network;
let clockOffset = 0;
const clock = (): number => Date.now() + clockOffset;
/** Of another organization. */
let stranger: Record<string, string>;

beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_QUOTA_MODE: 'observe' }, undefined, { clock, timings: { usageMs: 50 } });
  const { db } = network.app.core;
  const organization = await insertOrganization(db, { name: 'Strangers' } as never);
  const app = await insertApp(db, { organizationId: (organization as { id: string }).id, name: 'theirs' });
  const { secret } = await createKey(db, {
    name: 'theirs',
    appId: (app as { id: string }).id,
    scopes: ['read', 'portal'],
    now: new Date(),
  });
  stranger = { 'x-api-key': secret };
});
afterAll(() => network.stop());

/** @returns the only request of the log that fits, once it is there */
const found = async (query: string, headers?: Record<string, string>, path = LIST) => {
  let rows: TestResponse['body'][] = [];
  await expect
    .poll(async () => {
      rows = (await network.get(`${path}?${query}`, headers)).body.requests;
      return rows.length;
    })
    .toBe(1);
  return rows[0];
};

/** Runs the job that deletes, which is otherwise due once a minute by the clock of the database. */
const forget = () =>
  jobList({
    retention: { eventDays: 7, deliveryDays: 7 },
    db: network.app.core.db,
    clock,
    changed: () => undefined,
    readStoredChannels: async () => undefined,
  })
    .find(({ name }) => name === 'forget-requests')
    ?.run(new AbortController().signal);

describe('the request log', () => {
  test('does not keep how the console looks at the service, but what is done there', async () => {
    const made = await network.send('POST', '/portal/session', { api_key: network.apiKey });
    const cookie = (made.headers.get('set-cookie') as string).split(';', 1)[0] as string;
    const headers = { cookie, 'x-castellan-console': '1' };
    const ask = async (path: string) => {
      const response = await fetch(`${network.url}${path}`, { headers });
      await response.arrayBuffer();
      return response.headers.get('x-request-id') as string;
    };
    const looked = await ask('/operator/status');
    const failed = await ask('/operator/organization?organization_uuid=00000000-0000-4000-8000-0000000000ff');
    const read = await ask(READ);
    const withKey = idOf(await network.get('/operator/status'));
    await Promise.all([failed, read, withKey].map((id) => found(`request_id=${id}`)));
    expect((await network.get(`${LIST}?request_id=${looked}`)).body.requests).toEqual([]);
  });

  test('finds an own request by its id, key, operation and status, with what it cost and how long it took', async () => {
    const key = await keyWith(network, 'read');
    const id = idOf(await network.get(READ, key));
    const row = await found(`request_id=${id}`);
    expect(row).toMatchObject({
      request_id: id,
      operation: 'fetch-bulk-users',
      method: 'GET',
      address: READ,
      status: 200,
      compute_units: 1,
      key_name: 'of a test',
      error: null,
    });
    expect(row.milliseconds).toBeGreaterThan(0);
    expect(Math.abs(Date.parse(row.at) - clock())).toBeLessThan(30_000);
    expect(await found(`key_uuid=${row.key_uuid}`)).toEqual(row);
    expect(await found(`operation=fetch-bulk-users&key_uuid=${row.key_uuid}&status=200`)).toEqual(row);
    const others = await network.get(`${LIST}?operation=lookup-user-by-username&key_uuid=${row.key_uuid}`);
    expect(others.body.requests).toEqual([]);
  });

  test('says why a request failed: code, message and member', async () => {
    const failed = await network.get('/v2/social/user/bulk/?fids=nobody');
    expect(failed.status).toBe(400);
    const row = await found(`request_id=${idOf(failed)}&status=failed`);
    expect(row).toMatchObject({
      status: 400,
      compute_units: 0,
      error: { code: failed.body.code, message: failed.body.message, property: 'fids' },
    });
    expect((await network.get(`${LIST}?request_id=${idOf(failed)}&status=200`)).body.requests).toEqual([]);
    const forbidden = await network.get('/portal/organization/usage', await keyWith(network, 'read'));
    expect(await found(`request_id=${idOf(forbidden)}`)).toMatchObject({ status: 403, error: { code: 'Forbidden' } });
  });

  test('has no secret: neither keys in addresses, nor tokens, nor bodies', async () => {
    const secrets = ['hidden-key', 'hidden-token', 'hidden-signature', 'hidden-body'];
    const ids = [
      idOf(await network.get(`${READ}&api_key=hidden-key`)),
      idOf(await network.get('/v2/social/signer/list/?message=hidden-key&signature=hidden-signature')),
      idOf(await network.get('/portal/signers?limit=1&to%6ben=hidden-token')),
      idOf(await network.get(`${READ}&hidden-key`)),
      idOf(await network.send('POST', '/v2/social/cast/', { signer_uuid: 'hidden-body', text: 'hidden-body' })),
    ];
    const rows = [];
    for (const id of ids) rows.push(await found(`request_id=${id}`));
    expect(rows[0].address).toBe(`${READ}&api_key=***`);
    expect(rows[2].address).toBe('/portal/signers?limit=1&to%6ben=***');
    expect(rows[3].address).toBe(`${READ}&***`);
    const stored = JSON.stringify(await network.sql('select * from request_log'));
    for (const secret of [...secrets, network.apiKey]) expect(stored).not.toContain(secret);
  });

  test('shows an organization its own requests only, and an operator those of all', async () => {
    const [own, theirs] = [idOf(await network.get(READ)), idOf(await network.get(READ, stranger))];
    const row = await found(`request_id=${theirs}`, stranger);
    await found(`request_id=${own}`);
    expect((await network.get(`${LIST}?request_id=${theirs}`)).body.requests).toEqual([]);
    expect((await network.get(`${LIST}?request_id=${own}`, stranger)).body.requests).toEqual([]);
    expect((await network.get(LIST, stranger)).body.requests).toHaveLength(1);
    const operator = await keyWith(network, 'operator');
    expect(await found(`request_id=${theirs}`, operator, '/operator/requests')).toEqual(row);
    await found(`organization_uuid=${row.organization_uuid}`, operator, '/operator/requests');
    expect((await network.get('/operator/requests', stranger)).status).toBe(403);
    expect((await network.get(LIST, await keyWith(network, 'read'))).status).toBe(403);
  });

  test('goes on page by page, the newest first, and is not in itself', async () => {
    const ids = [];
    for (let n = 0; n < 5; n++) ids.unshift(idOf(await network.get(`/v2/social/user/by_username/?username=p${n}`)));
    const query = `${LIST}?operation=lookup-user-by-username&limit=3`;
    await expect
      .poll(async () => (await network.get(`${LIST}?operation=lookup-user-by-username`)).body.requests.length)
      .toBe(5);
    const first = (await network.get(query)).body;
    const second = (await network.get(`${query}&cursor=${first.next.cursor}`)).body;
    const listed = [...first.requests, ...second.requests].map(({ request_id: id }) => id);
    expect(listed).toEqual(ids);
    expect(second.next.cursor).toBeNull();
    expect((await network.get(`${LIST}?operation=list-requests`)).body.requests).toEqual([]);
    for (const bad of ['status=7', 'status=x', 'key_uuid=1', 'cursor=x', 'limit=0', 'operation=A%20B'])
      expect((await network.get(`${LIST}?${bad}`)).status).toBe(400);
  });

  test('lists so many requests of a second, counts the others, and says that they are missing', async () => {
    const before = (await network.get('/portal/requests/count', stranger)).body.minutes;
    expect(before).toHaveLength(60);
    const sum = (minutes: Record<string, number>[], member: string) =>
      minutes.reduce((total, minute) => total + (minute[member] ?? 0), 0);
    const { requestLog } = network.app.services;
    const request = {
      id: 'many',
      caller: await network.app.services.authenticator.authenticate(stranger['x-api-key'] as string),
      originalUrl: READ,
      method: 'GET',
      failure: null,
    };
    const reply = { raw: { statusCode: 404 }, getHeader: () => '1' };
    for (let n = 0; n < 600; n++) requestLog?.add({ id: 'fetch-bulk-users' }, request as never, reply as never, 1);
    await expect
      .poll(async () => sum((await network.get('/portal/requests/count', stranger)).body.minutes, 'failed'))
      .toBe(600 + sum(before, 'failed'));
    const { minutes } = (await network.get('/portal/requests/count', stranger)).body;
    expect(sum(minutes, 'unlisted')).toBe(350);
    const [listed] = await network.sql<{ n: number }>(
      `select count(*)::integer as n from request_log where request_id = 'many'`,
    );
    expect(listed?.n).toBe(250);
  });

  test('forgets after an hour, and its table has no more rows than it may', async () => {
    const id = idOf(await network.get(READ));
    await found(`request_id=${id}`);
    clockOffset = HOUR_MS + 60_000;
    expect((await network.get(`${LIST}?request_id=${id}`)).body.requests).toEqual([]);
    const late = idOf(await network.get(READ));
    await found(`request_id=${late}`);
    await network.sql(
      `insert into request_log (id, request_id, organization_id, api_key_id, at, operation, method, address, status,
                                units, milliseconds) overriding system value
       select 200000, 'newest', organization_id, api_key_id, at, operation, method, address, status, units, 1
         from request_log where request_id = $1`,
      [late],
    );
    await forget();
    const kept = await network.sql<{ request_id: string }>('select request_id from request_log');
    expect(kept.map(({ request_id: one }) => one)).toEqual(['newest']);
  });
});

test('keeps nothing where it is off, and says so', async () => {
  const off = await startNetwork({ CASTELLAN_REQUEST_LOG: 'false' }, undefined, { timings: { usageMs: 50 } });
  try {
    await off.get(READ);
    expect((await off.get(LIST)).body).toEqual({ is_on: false, requests: [], next: { cursor: null } });
    expect(await off.sql('select * from request_log')).toEqual([]);
  } finally {
    await off.stop();
  }
});
