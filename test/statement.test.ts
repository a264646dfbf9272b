import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../src/db/database.js';
import { openEmbedded } from '../src/db/embedded.js';
import { migrate } from '../src/db/migrate.js';
import type { Session } from '../src/db/statement.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
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
  let server: TestDatabase;
  let embedded: Database;
  beforeAll(async () => {
    server = await openTestDatabase();
    embedded = await openEmbedded({});
    await migrate(embedded);
  });
  afterAll(() => Promise.all([server.drop(), embedded.close()]));

  test('on the database of the tests, a server where TEST_DATABASE_URL names one', async () => {
    expect(await server.db.transaction(findInvalid)).toEqual([]);
  });

  test('on the embedded database', async () => {
    expect(await embedded.transaction(findInvalid)).toEqual([]);
  });
});
