import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../src/db/database.js';
import { UNANNOUNCED_WORK_MS } from '../src/duration.js';
import { delay } from './support/delay.js';
import { type Network, startNetwork } from './support/network.js';
import { seedBasics } from './support/seed.js';

/** Of a service that nobody uses. A test with the default intervals; other tests look for work more often. */
const MOST_STATEMENTS_PER_SECOND = 2;
const SECONDS = 10;

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_CRAWL: '1' }, undefined, { timings: { pollMs: UNANNOUNCED_WORK_MS } });
  await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
});
afterAll(() => network.stop());

/** Counts the statements outside of transactions, and each transaction as three. */
const countStatements = (db: Database) => {
  const names: string[] = [];
  const counted = db as { -readonly [Method in keyof Database]: Database[Method] };
  const { read, run, select, writeWithPriority, transaction } = db;
  counted.read = (statement, ...rest) => {
    names.push(statement.name);
    return read(statement, ...rest);
  };
  counted.run = (sql, ...rest) => {
    names.push(typeof sql === 'string' ? sql : sql.name);
    return run(sql, ...rest);
  };
  counted.select = (sql, ...rest) => {
    names.push(typeof sql === 'string' ? sql : sql.name);
    return select(sql, ...rest);
  };
  counted.writeWithPriority = (statement, ...rest) => {
    names.push(statement.name);
    return writeWithPriority(statement, ...rest);
  };
  counted.transaction = (work) => {
    names.push('begin', 'transaction', 'commit');
    return transaction(work);
  };
  return {
    take: () => names.splice(0),
    end: () => Object.assign(counted, { read, run, select, writeWithPriority, transaction }),
  };
};

test('a service that nobody uses asks its database for next to nothing', async () => {
  const { take, end } = countStatements(network.app.core.db);
  // What follows the start ends by itself: jobs of the start, and polls while caches are used.
  await delay(20_000);
  take();
  await delay(SECONDS * 1_000);
  const sent = take();
  end();
  expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(SECONDS * MOST_STATEMENTS_PER_SECOND);
  // It counts what is sent: the caches look for changes even then.
  expect(sent).toContain('change_since');
}, 60_000);
