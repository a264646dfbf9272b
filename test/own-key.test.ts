import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../src/access/key.js';
import type { Scope } from '../src/schema/scope.js';
import { keyWith } from './support/app.js';
import { type Network, startNetwork } from './support/network.js';
import { makeTenant } from './support/organization.js';

let network: Network;
let headers: Record<string, string>;
beforeAll(async () => {
  network = await startNetwork();
  ({ headers } = await makeTenant(network, 'Harbor Labs', { scopes: ['read', 'portal', 'webhook'] }));
});
afterAll(() => network.stop());

const CHANGES = [
  ['POST', '/portal/key/rotate'],
  ['DELETE', '/portal/key'],
] as const;
const keys = async (by = headers) => (await network.get('/portal/keys', by)).body.keys;
const make = (scopes: readonly Scope[], by = headers) =>
  network.send('POST', '/portal/keys', { name: 'website', scopes }, by);
const reads = async (secret: string) =>
  (await network.get('/v2/social/user/bulk/?fids=1', { 'x-api-key': secret })).status;

test('a key makes, rotates and revokes keys of its app', async () => {
  const made = await make(['read']);
  expect(made).toMatchObject({ status: 200, body: { key: { name: 'website', scopes: ['read'], revoked_at: null } } });
  const { secret, key } = made.body;
  expect(await reads(secret)).toBe(200);
  expect((await keys()).map(({ name }: { name: string }) => name)).toEqual(['Harbor Labs key', 'website']);
  const rotated = await network.send('POST', '/portal/key/rotate', { key_uuid: key.uuid, grace_seconds: 0 }, headers);
  expect(rotated).toMatchObject({ status: 200, body: { key: { name: 'website', scopes: ['read'] } } });
  await expect.poll(() => reads(secret)).toBe(401);
  expect(await reads(rotated.body.secret)).toBe(200);
  const revoked = await network.send('DELETE', '/portal/key', { key_uuid: rotated.body.key.uuid }, headers);
  expect(revoked.body.key.revoked_at).toEqual(expect.any(String));
  expect(await reads(rotated.body.secret)).toBe(401);
  expect(JSON.stringify(await keys())).not.toContain(rotated.body.secret);
});

test('no key gives, replaces or ends what it may not do itself', async () => {
  expect(await make(['read', 'operator'])).toMatchObject({
    status: 400,
    body: { message: 'A key cannot give what it lacks: operator.' },
  });
  const narrow = (await make(['portal'])).body.secret;
  const [own] = await keys();
  for (const [method, path] of CHANGES) {
    const answer = await network.send(method, path, { key_uuid: own.uuid }, { 'x-api-key': narrow });
    expect(answer).toMatchObject({ status: 403, body: { message: expect.stringContaining('may do more') } });
  }
  expect(await reads(headers['x-api-key'] as string)).toBe(200);
});

test('the keys of another app are neither seen nor touched', async () => {
  const [theirs] = await keys();
  const mine = await keyWith(network, 'portal', 'read', 'webhook');
  expect(JSON.stringify(await keys(mine))).not.toContain(theirs.uuid);
  const answer = await network.send('DELETE', '/portal/key', { key_uuid: theirs.uuid }, mine);
  expect(answer.status).toBe(404);
  expect((await make(['read'], await keyWith(network, 'read'))).status).toBe(403);
});

test('a key that ends makes and replaces none that ends later', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const { appId } = await makeTenant(network, 'Tide Labs', { scopes: ['read'] });
  const { secret, id } = await createKey(network.app.services.db, {
    ...{ appId, name: 'for an hour', scopes: ['read', 'portal'], expiresAt, now: new Date() },
  });
  const hour = { 'x-api-key': secret };
  expect((await make(['read', 'portal'], hour)).body.key.expires_at).toBe(expiresAt.toISOString());
  const rotated = await network.send('POST', '/portal/key/rotate', { key_uuid: id, grace_seconds: 60 }, hour);
  expect(rotated.body.key.expires_at).toBe(expiresAt.toISOString());
  const [endless] = await keys(hour);
  expect(endless.expires_at).toBeNull();
  for (const [method, path] of CHANGES) {
    const answer = await network.send(method, path, { key_uuid: endless.uuid }, hour);
    expect(answer).toMatchObject({ status: 403, body: { message: 'That key ends later than the calling one.' } });
  }
});

test('an app has at most 20 keys that work, also when it makes them at once, and lists no old ones', async () => {
  const tenant = await makeTenant(network, 'Reef Labs', { scopes: ['read', 'portal'] });
  const made = await Promise.all(Array.from({ length: 25 }, () => make(['read'], tenant.headers)));
  const [first, ...others] = made.filter(({ status }) => status === 200).map(({ body }) => body.key.uuid);
  expect(others).toHaveLength(18);
  expect(made.find(({ status }) => status === 403)?.body).toMatchObject({
    code: 'KeyLimitReached',
    message: 'The app has 20 keys that work; from 20 on, only operators make more: revoke one, or ask an operator.',
  });
  const rotate = () => network.send('POST', '/portal/key/rotate', { key_uuid: first }, tenant.headers);
  expect([(await rotate()).status, (await rotate()).status]).toEqual([200, 403]);
  for (const uuid of [first, others[0]])
    await network.send('DELETE', '/portal/key', { key_uuid: uuid }, tenant.headers);
  expect((await make(['read'], tenant.headers)).status).toBe(200);
  const [, , last] = others;
  await network.send('DELETE', '/portal/key', { key_uuid: last }, tenant.headers);
  await network.sql("update api_key set revoked_at = now() - interval '31 days' where id = $1", [first]);
  const listed = (await keys(tenant.headers)).map(({ uuid }: { uuid: string }) => uuid);
  expect([listed.includes(first), listed.includes(others[0])]).toEqual([false, true]);
  await network.sql(
    `insert into api_key (app_id, name, hash, prefix, scopes, revoked_at)
     select $1, 'ended', sha256(n::text::bytea), 'cst_', '{read}', now() from generate_series(1, 80) n`,
    [tenant.appId],
  );
  expect((await make(['read'], tenant.headers)).body.message).toMatch(/^The app got \d+ keys within a day/);
});
