import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { createKey, ensureDefaultAccess, hashKey } from '../../access/key.js';
import type { Session } from '../../db/statement.js';
import { createApiKeyLookup } from './api-key-lookup.js';

let fixture: TestDatabase;
const now = new Date('2026-01-02T03:04:05.000Z');
beforeAll(async () => {
  fixture = await openTestDatabase();
  await ensureDefaultAccess(fixture.db, undefined, now);
});
afterAll(() => fixture.drop());

/** Wraps the database and records the number of keys in each statement; `before` is awaited first. */
const watch = (before: () => Promise<void> = async () => undefined) => {
  const asked: number[] = [];
  const read: Session['read'] = async (statement, params) => {
    asked.push((params[0] as readonly unknown[]).length);
    await before();
    return fixture.db.read(statement, params);
  };
  return { asked, find: createApiKeyLookup({ read }) };
};

const makeKeys = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => createKey(fixture.db, { name: `key ${index}`, now })));

test('many at once are asked for in one statement, and each gets its own', async () => {
  const keys = await makeKeys(20);
  const { asked, find } = watch();
  const holders = await Promise.all([...keys, { secret: 'nobody has it' }].map(({ secret }) => find(hashKey(secret))));
  expect(holders.map((holder) => holder?.id)).toEqual([...keys.map(({ id }) => id), undefined]);
  expect(asked).toEqual([21]);
});

test('what comes while a statement is under way goes together with the next one', async () => {
  const keys = await makeKeys(6);
  let answer = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { asked, find } = watch(() => first);
  const found = keys.slice(0, 1).map(({ secret }) => find(hashKey(secret)));
  await expect.poll(() => asked).toEqual([1]);
  for (const { secret } of keys.slice(1)) {
    found.push(find(hashKey(secret)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(asked).toEqual([1]);
  answer();
  expect((await Promise.all(found)).map((holder) => holder?.id)).toEqual(keys.map(({ id }) => id));
  expect(asked).toEqual([1, 5]);
});

test('a statement that fails fails those who wait for it, and the next one is asked', async () => {
  const [key] = await makeKeys(1);
  const hash = hashKey(key?.secret as string);
  let isUnavailable = true;
  const { asked, find } = watch(async () => {
    if (isUnavailable) throw new Error('the database is away');
  });
  const results = await Promise.allSettled([find(hash), find(hashKey('other'))]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isUnavailable = false;
  expect((await find(hash))?.id).toBe(key?.id);
  expect(asked).toEqual([2, 1]);
});
