import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { APP_SCOPES, SCOPES } from '../schema/scope.js';
import { selectApiKeys, selectApiKeysByHash } from '../store/access/api-key.js';
import {
  createKey,
  DEFAULT_APP_ID,
  DEFAULT_ORGANIZATION_ID,
  ensureDefaultAccess,
  hashKey,
  revokeKey,
  rotateKey,
} from './key.js';

let fixture: TestDatabase;
const now = new Date('2026-01-02T03:04:05.000Z');
beforeAll(async () => {
  fixture = await openTestDatabase();
  await ensureDefaultAccess(fixture.db, undefined, now);
});
afterAll(() => fixture.drop());

const holderOf = async (secret: string) => (await selectApiKeysByHash(fixture.db, [hashKey(secret)]))[0];

test('a key is shown once, stored as a hash, and reads unless told otherwise', async () => {
  const key = await createKey(fixture.db, { name: 'first', now });
  expect(key.secret).toMatch(/^cst_[A-Za-z0-9_-]{43}$/);
  expect(key.scopes).toEqual(['read']);
  const listed = (await selectApiKeys(fixture.db)).find(({ id }) => id === key.id);
  expect(JSON.stringify(listed)).not.toContain(key.secret);
  expect(key.secret.startsWith(listed?.prefix ?? '-')).toBe(true);
  expect(await holderOf(key.secret)).toMatchObject({
    id: key.id,
    appId: DEFAULT_APP_ID,
    organizationId: DEFAULT_ORGANIZATION_ID,
    appFid: null,
    scopes: ['read'],
    revokedAt: null,
  });
});

test('rotation gives a second key and ends the first after the grace', async () => {
  const old = await createKey(fixture.db, { name: 'rotating', scopes: ['read', 'write'], now });
  const fresh = await rotateKey(fixture.db, { id: old.id, graceSeconds: 60, now });
  expect(fresh).toMatchObject({ name: 'rotating', scopes: ['read', 'write'], expiresAt: null });
  expect(fresh.secret).not.toBe(old.secret);
  const held = await holderOf(old.secret);
  expect(held?.expiresAt).toEqual(new Date(now.getTime() + 60_000));
});

test('rotation never postpones the expiry of a key, and an expired key cannot be rotated', async () => {
  const expiresAt = new Date(now.getTime() + 1000);
  const old = await createKey(fixture.db, { name: 'short', expiresAt, now });
  const successor = await rotateKey(fixture.db, { id: old.id, now });
  expect(successor.expiresAt).toEqual(expiresAt);
  expect((await holderOf(old.secret))?.expiresAt).toEqual(expiresAt);
  const later = new Date(now.getTime() + 2000);
  await expect(rotateKey(fixture.db, { id: old.id, now: later })).rejects.toMatchObject({ kind: 'invalid' });
});

test('revoking is final and repeatable', async () => {
  const key = await createKey(fixture.db, { name: 'leaked', now });
  await revokeKey(fixture.db, { id: key.id, now });
  const again = await revokeKey(fixture.db, { id: key.id, now: new Date(now.getTime() + 5000) });
  expect(again.revokedAt).toEqual(now);
  await expect(rotateKey(fixture.db, { id: key.id, now })).rejects.toMatchObject({ kind: 'invalid' });
});

test('wrong scopes, apps, ids and ends are told apart', async () => {
  const make = (options: object) => createKey(fixture.db, { name: 'x', now, ...options });
  await expect(make({ scopes: ['root'] })).rejects.toMatchObject({ kind: 'invalid', property: 'scopes' });
  await expect(make({ scopes: [] })).rejects.toMatchObject({ kind: 'invalid', property: 'scopes' });
  await expect(make({ appId: 'x' })).rejects.toMatchObject({ kind: 'invalid', property: 'app' });
  await expect(make({ appId: DEFAULT_ORGANIZATION_ID })).rejects.toMatchObject({ kind: 'not_found' });
  await expect(make({ expiresAt: now })).rejects.toMatchObject({ property: 'expires_at' });
  await expect(revokeKey(fixture.db, { id: DEFAULT_APP_ID, now })).rejects.toMatchObject({ kind: 'not_found' });
});

test('the configured key has all scopes but that of operators, unless it is given, and a replaced one stops working', async () => {
  await Promise.all([
    ensureDefaultAccess(fixture.db, 'configured-key-one', now),
    ensureDefaultAccess(fixture.db, 'configured-key-one', now),
  ]);
  expect(await holderOf('configured-key-one')).toMatchObject({ scopes: [...APP_SCOPES] });
  await ensureDefaultAccess(fixture.db, 'configured-key-one', now, SCOPES);
  expect(await holderOf('configured-key-one')).toMatchObject({ scopes: [...SCOPES] });
  await ensureDefaultAccess(fixture.db, 'configured-key-two', now);
  expect(await holderOf('configured-key-one')).toMatchObject({ revokedAt: now });
  await ensureDefaultAccess(fixture.db, 'configured-key-one', now);
  expect(await holderOf('configured-key-one')).toMatchObject({ revokedAt: null });
});

test('a configured key that was revoked or replaced stays so at the next start', async () => {
  const start = (key: string) => ensureDefaultAccess(fixture.db, key, now);
  for (const end of [revokeKey, rotateKey]) {
    const secret = `configured-key-to-${end.name}`;
    expect(await start(secret)).toBe(true);
    const { id } = (await holderOf(secret)) as { id: string };
    await end(fixture.db, { id, graceSeconds: 0, now });
    const ended = await holderOf(secret);
    expect(await start(secret)).toBe(false);
    expect(await holderOf(secret)).toEqual(ended);
  }
});
