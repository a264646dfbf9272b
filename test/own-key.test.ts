import { afterAll, beforeAll, expect, test } from 'vitest';
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
  for (const [method, path] of [
    ['POST', '/portal/key/rotate'],
    ['DELETE', '/portal/key'],
  ] as const) {
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
