import { describe, expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '../src/db/embedded/embedded.js';
import { migrate } from '../src/db/migrate.js';
import type { Session } from '../src/db/statement.js';
import { openTestDatabase } from './support/database.js';
import { loadStatements } from './support/store-statement.js';

const statements = [...(await loadStatements()).values()].flat();

/** @returns the statements that PostgreSQL does not accept, each with its error */
const findInvalid = async (session: Pick<Session, 'script'>): Promise<string[]> => {
  const invalid: string[] = [];
  for (const { name, text } of statements) {
    try {
      await session.script(`savepoint before; prepare castellan_check as ${text}; deallocate castellan_check`);
    } catch (error) {
      await session.script('rollback to before');
      invalid.push(`${name}: ${(error as Error).message}`);
    }
  }
  return invalid;
};

test('the statements of the store are found', () => {
  expect(statements.length).toBeGreaterThan(300);
});

describe('every statement of the store can be prepared', () => {
  test('on the database of the tests, a server where TEST_DATABASE_URL names one', async () => {
    const { db, drop } = await openTestDatabase();
    onTestFinished(drop);
    expect(await db.transaction(findInvalid)).toEqual([]);
  });

  // Without a server, the database of the tests is an embedded one.
  test.runIf(process.env.TEST_DATABASE_URL)('on the embedded database', async () => {
    const db = await openEmbedded({});
    onTestFinished(() => db.close());
    await migrate(db);
    expect(await db.transaction(findInvalid)).toEqual([]);
  });
});
