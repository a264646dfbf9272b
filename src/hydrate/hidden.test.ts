import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { openTestDatabase } from '../../test/support/database.js';
import { createFreshness } from './freshness.js';
import { createHiddenReader } from './hidden.js';

const unhandled = vi.fn();
afterEach(() => {
  process.off('unhandledRejection', unhandled);
});

test('a database that is away fails the read, and no promise that nobody waits for', async () => {
  const fixture = await openTestDatabase();
  const reader = createHiddenReader(fixture.db, createFreshness({ db: fixture.db, pollMs: 1_000 }), 1_000_000);
  await fixture.drop();
  process.on('unhandledRejection', unhandled);
  const audience = { appId: '00000000-0000-4000-8000-000000000001', viewer: null };
  await expect(reader.read([1, 2], audience, new Set())).rejects.toThrow();
  // Node tells of a rejection after the turn in which nobody took it.
  for (let n = 0; n < 5; n++) await turn();
  expect(unhandled).not.toHaveBeenCalled();
});
