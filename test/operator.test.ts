import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_APP_ID, DEFAULT_ORGANIZATION_ID } from '../src/access/key.js';
import { variablesInForce } from '../src/config/in-force.js';
import { VARIABLES } from '../src/config/variable.js';
import { SCOPES } from '../src/schema/scope.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_QUOTA_MODE: 'enforce', CASTELLAN_DEFAULT_PLAN: 'free' });
});
afterAll(() => network.stop());

const UNKNOWN = '00000000-0000-4000-8000-0000000000ff';

const ask = async (method: string, path: string, body?: object, key?: string) => {
  const response = await fetch(`${network.url}/operator/${path}`, {
    method,
    headers: {
      'x-api-key': key ?? network.apiKey,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer: TestResponse['body'] = await response.json();
  return { status: response.status, body: answer, requestId: response.headers.get('x-request-id') };
};

/** @returns ids of a new organization, its app and a key of the app */
const makeCustomer = async (name: string) => {
  const made = await ask('POST', 'organizations', { name, billing_email: 'billing@harbor.example' });
  const organization = made.body.organization.uuid as string;
  const app = (await ask('POST', 'apps', { organization_uuid: organization, name: `${name} app` })).body.app
    .uuid as string;
  const { key, secret } = (
    await ask('POST', 'keys', { app_uuid: app, name: 'first', scopes: ['read', 'webhook', 'portal'] })
  ).body;
  return { organization, app, key: key.uuid as string, secret: secret as string };
};

const read = async (secret: string) =>
  (await fetch(`${network.url}/v2/social/user/bulk/?fids=1`, { headers: { 'x-api-key': secret } })).status;

test('a customer is made, reads, is suspended and comes back, without a command on the server', async () => {
  const { organization, app, secret, key } = await makeCustomer('Harbor Labs');
  expect(await read(secret)).toBe(200);
  const view = (await ask('GET', `organization?organization_uuid=${organization}`)).body.organization;
  expect(view).toMatchObject({
    name: 'Harbor Labs',
    status: 'active',
    billing_email: 'billing@harbor.example',
    plan: 'free',
    subscription_status: null,
  });
  expect((await ask('GET', `apps?organization_uuid=${organization}`)).body.apps).toMatchObject([{ uuid: app }]);
  expect((await ask('GET', `keys?app_uuid=${app}`)).body.keys).toMatchObject([
    { uuid: key, scopes: ['read', 'webhook', 'portal'], revoked_at: null },
  ]);
  const usage = await ask('GET', `organization/usage?organization_uuid=${organization}`);
  expect(usage.body.plan).toBe('Free');

  const off = await ask('PUT', 'organization', { organization_uuid: organization, status: 'inactive' });
  expect(off.body.organization.status).toBe('inactive');
  await expect.poll(() => read(secret), { timeout: 5_000 }).toBe(401);
  await ask('PUT', 'organization', { organization_uuid: organization, status: 'active', billing_email: null });
  await expect.poll(() => read(secret), { timeout: 5_000 }).toBe(200);
});

test('keys are replaced and ended, and the log says what was done with which key in which request', async () => {
  const { organization, app, key, secret } = await makeCustomer('Keys');
  const rotated = await ask('POST', 'key/rotate', { key_uuid: key, grace_seconds: 0 });
  expect(rotated.body.key).toMatchObject({ app_uuid: app, name: 'first', scopes: ['read', 'webhook', 'portal'] });
  expect(await read(rotated.body.secret)).toBe(200);
  await expect.poll(() => read(secret), { timeout: 5_000 }).toBe(401);
  const revoked = await ask('DELETE', 'key', { key_uuid: rotated.body.key.uuid });
  expect(revoked.body.key.revoked_at).toEqual(expect.any(String));
  await expect.poll(() => read(rotated.body.secret), { timeout: 5_000 }).toBe(401);
  await ask('PUT', 'app', { app_uuid: app, name: 'Renamed', fid: 7, origins: ['https://app.example/'] });

  const { changes } = (await ask('GET', `organization/log?organization_uuid=${organization}`)).body;
  expect(changes.map(({ action }: { action: string }) => action)).toEqual([
    'app.changed',
    'key.revoked',
    'key.rotated',
    'key.made',
    'app.made',
    'organization.made',
  ]);
  expect(changes[1]).toMatchObject({ request_id: revoked.requestId, key_name: 'configured' });
  expect(JSON.stringify(changes)).not.toContain(secret);
  expect((await ask('GET', `apps?organization_uuid=${organization}`)).body.apps).toMatchObject([
    { name: 'Renamed', fid: 7, origins: ['https://app.example'] },
  ]);
});

test('a plan is given, and its limits hold for apps and webhooks, with words', async () => {
  const { organization, secret } = await makeCustomer('Plans');
  const webhook = async () => {
    const response = await fetch(`${network.url}/v2/social/webhook/`, {
      method: 'POST',
      headers: { 'x-api-key': secret, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'w', url: 'https://bot.example/x', subscription: { 'user.created': {} } }),
    });
    return { status: response.status, body: await response.json() };
  };
  expect((await webhook()).status).toBe(200);
  const full = {
    status: 402,
    body: {
      code: 'PlanLimitReached',
      message: 'The plan Free has room for 1 webhook, and all are there: remove one, or change the plan.',
    },
  };
  expect(await webhook()).toMatchObject(full);
  // Two at once are counted one after the other.
  expect((await Promise.all([webhook(), webhook()])).map(({ status }) => status)).toEqual([402, 402]);
  const another = { organization_uuid: organization, name: 'second' };
  expect(await ask('POST', 'apps', another)).toMatchObject({ status: 402, body: { code: 'PlanLimitReached' } });

  const granted = await ask('PUT', 'organization/plan', {
    organization_uuid: organization,
    plan: 'Starter',
    is_grant: true,
  });
  expect(granted.body.organization).toMatchObject({ plan: 'starter', subscription_status: 'active' });
  expect((await webhook()).status).toBe(200);
  expect((await ask('POST', 'apps', another)).status).toBe(200);
  const { changes } = (await ask('GET', `organization/log?organization_uuid=${organization}`)).body;
  expect(changes.find(({ action }: { action: string }) => action === 'plan.granted')).toMatchObject({
    request_id: granted.requestId,
  });
  expect(await ask('PUT', 'organization/plan', { organization_uuid: organization, plan: 'gold' })).toMatchObject({
    status: 400,
    body: { property: 'plan', message: expect.stringContaining('use one of free, starter') },
  });
});

test('plans are listed with what they allow', async () => {
  const { plans } = (await ask('GET', 'plans')).body;
  expect(plans[0]).toMatchObject({ id: 'free', webhooks: 1, apps: 1, is_default: true, is_offered: true });
  expect(plans.at(-1)).toMatchObject({ id: 'enterprise', compute_units: null });
});

test('lists go on where the page before ended', async () => {
  const all = (await ask('GET', 'organizations')).body.organizations as { uuid: string }[];
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = (await ask('GET', `organizations?limit=1${cursor && `&cursor=${cursor}`}`)).body as {
      organizations: { uuid: string }[];
      next: { cursor: string | null };
    };
    expect(page.organizations).toHaveLength(1);
    seen.push(page.organizations[0]?.uuid as string);
    cursor = page.next.cursor;
  }
  expect(seen).toEqual(all.map(({ uuid }) => uuid));
  expect(seen[0]).toBe(DEFAULT_ORGANIZATION_ID);
});

test('only keys with the scope operator come here, whatever else they may do', async () => {
  const others = SCOPES.filter((scope) => scope !== 'operator');
  const { secret } = (await ask('POST', 'keys', { app_uuid: DEFAULT_APP_ID, name: 'all but one', scopes: others }))
    .body;
  for (const [method, path, body] of [
    ['GET', 'organizations'],
    ['GET', 'plans'],
    ['POST', 'keys', { app_uuid: DEFAULT_APP_ID, name: 'x', scopes: ['operator'] }],
    ['PUT', 'organization', { organization_uuid: DEFAULT_ORGANIZATION_ID, status: 'inactive' }],
  ] as const) {
    const refused = await ask(method, path, body, secret);
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('operator') } });
  }
});

test.each([
  ['GET', `organization?organization_uuid=${UNKNOWN}`, undefined, 404],
  ['GET', `organization/log?organization_uuid=${UNKNOWN}`, undefined, 404],
  ['GET', `organization/usage?organization_uuid=${UNKNOWN}`, undefined, 404],
  ['GET', `keys?app_uuid=${UNKNOWN}`, undefined, 404],
  ['GET', 'organization?organization_uuid=x', undefined, 400],
  ['POST', 'organizations', { name: ' ' }, 400],
  ['POST', 'organizations', { name: 'x', billing_email: 'nobody' }, 400],
  ['POST', 'apps', { organization_uuid: UNKNOWN, name: 'x' }, 404],
  ['PUT', 'app', { app_uuid: UNKNOWN, name: 'x' }, 404],
  ['PUT', 'app', { app_uuid: DEFAULT_APP_ID, origins: ['https://a.example/path'] }, 400],
  ['POST', 'keys', { app_uuid: UNKNOWN, name: 'x' }, 404],
  ['POST', 'keys', { app_uuid: DEFAULT_APP_ID, name: 'x', scopes: ['root'] }, 400],
  ['POST', 'keys', { app_uuid: DEFAULT_APP_ID, name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 400],
  ['POST', 'key/rotate', { key_uuid: UNKNOWN }, 404],
  ['DELETE', 'key', { key_uuid: UNKNOWN }, 404],
] as const)('%s %s %j is refused with %i', async (method, path, body, status) => {
  const refused = await ask(method, path, body);
  expect(refused.status).toBe(status);
  expect(refused.body.message.length).toBeGreaterThan(10);
});

test('the status of the service has its size, its jobs, and what waits', async () => {
  const { status, body } = await ask('GET', 'status');
  expect(status).toBe(200);
  expect(body.database_bytes).toBeGreaterThan(1_000_000);
  expect(body.tables).toHaveLength(20);
  expect(body.tables[0].bytes).toBeGreaterThanOrEqual(body.tables[1].bytes);
  expect(body.jobs.map(({ name }: { name: string }) => name)).toContain('score');
  expect(body).toMatchObject({ refused_items: 0, webhook_deliveries: { waiting: 0, oldest_seconds: 0 } });
});

test('refused items are listed page by page, and one that is not there cannot be tried again', async () => {
  await network.sql(
    `insert into refused_item (kind, body, digest, fid, source, announce, trust_signers, sqlstate, failure)
     select 'message', '\\x00', sha256(n::text::bytea), n, 'hub', false, false, '22003', 'out of range' from generate_series(1, 5) n`,
  );
  const first = (await ask('GET', 'refused-items?limit=3')).body;
  expect(first.items).toMatchObject([{ fid: 1, reason: 'out of range', sqlstate: '22003' }, { fid: 2 }, { fid: 3 }]);
  const second = (await ask('GET', `refused-items?limit=3&cursor=${first.next.cursor}`)).body;
  expect(second).toMatchObject({ items: [{ fid: 4 }, { fid: 5 }], next: { cursor: null } });
  expect((await ask('GET', 'status')).body.refused_items).toBe(5);
  expect(await ask('POST', 'refused-items/retry', { id: 999_999 })).toMatchObject({ status: 404 });
  expect(await ask('POST', 'refused-items/retry', { id: 'x' })).toMatchObject({ status: 400 });
  await network.sql('delete from refused_item');
});

test('the configuration in force shows what is set, what is the default, and no secret', async () => {
  const { status, body } = await ask('GET', 'configuration');
  expect(status).toBe(200);
  const variable = (name: string) => body.variables.find((one: { name: string }) => one.name === name);
  expect(variable('PORT')).toMatchObject({ value: '3000', is_default: true, is_secret: false });
  expect(variable('CASTELLAN_RATE_LIMIT_PER_MINUTE')).toMatchObject({ value: '0', is_default: false });
  expect(variable('CASTELLAN_API_KEY')).toMatchObject({ value: null, is_default: false, is_secret: true });
  expect(variable('CASTELLAN_MASTER_KEY')).toMatchObject({ value: null, is_secret: false });
  expect(body.variables).toHaveLength(Object.keys(VARIABLES).length);
  expect(JSON.stringify(body)).not.toContain(network.apiKey);
  const shown = variablesInForce(
    {
      CASTELLAN_IPFS_GATEWAY: 'https://user:hidden@gateway.example/a?key=hidden',
      CASTELLAN_RPC_BASE: 'https://base.example/hidden',
      DATABASE_URL: 'postgres://user:hidden@db.example/x',
    },
    'serve',
  );
  expect(JSON.stringify(shown)).not.toContain('hidden');
  expect(shown.find(({ name }) => name === 'CASTELLAN_IPFS_GATEWAY')?.value).toBe('https://***@gateway.example/a?***');
});

test('the status of ingest counts what was stored in each minute of the last hour', async () => {
  const sum = async () => {
    const { status, body } = await ask('GET', 'ingest');
    expect(status).toBe(200);
    expect(body.hub).toBeNull();
    expect(body.minutes).toHaveLength(60);
    return body.minutes.reduce((all: number, { events }: { events: number }) => all + events, 0);
  };
  const before = await sum();
  await network.sql(
    `insert into hub_event (at, fid, type, body)
     select now() - n * interval '1 minute', 1, 1, '\\x00' from generate_series(9, 5, -1) n`,
  );
  expect(await sum()).toBe(before + 5);
});
