import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { openTestIngest } from '../../../test/support/ingest.js';
import type { Database } from '../../db/database.js';
import type { Param, Session, Sql } from '../../db/statement.js';
import { author } from '../../sample/author.js';
import { createClock, sampleTime } from '../../sample/clock.js';
import { audit } from './audit.js';

const onServer = process.env.TEST_DATABASE_URL !== undefined;

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

test('an audit is exact while something is stored between its statements', async () => {
  const ingest = openTestIngest(fixture.db);
  const alice = author({ seed: 'audit', fid: 101, clock: createClock(sampleTime()) });
  const quiet = { source: 'hub', announce: false } as const;
  await ingest.submit([alice.register(), await alice.addSigner(), alice.rent(2)], quiet);
  let removal: Promise<unknown> | undefined;
  /** Removes the key when it was read, before what it follows from is. */
  const intruded = <Reads extends Session>(session: Reads, waits: boolean): Reads =>
    new Proxy(session, {
      get: (target, name) => {
        if (name === 'transaction')
          return (work: (own: Session) => unknown) =>
            (target as unknown as Database).transaction(async (own) => work(intruded(own, onServer)));
        const value = Reflect.get(target, name);
        if (name !== 'select') return typeof value === 'function' ? value.bind(target) : value;
        return async (statement: Sql<unknown>, params: readonly Param[]) => {
          const rows = await target.select(statement, params);
          if (statement.name !== 'select_signer_keys_of' || removal !== undefined) return rows;
          removal = ingest.submit([alice.removeSigner()], quiet);
          if (waits) await removal;
          return rows;
        };
      },
    });
  expect(await audit(intruded(fixture.db, true))).toEqual([]);
  expect(removal).toBeDefined();
  expect(await removal).toMatchObject({ merged: 1 });
  expect(await audit(fixture.db)).toEqual([]);
});
