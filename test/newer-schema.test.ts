import { afterAll, beforeAll, expect, test } from 'vitest';
import { diagnoseDatabase } from '../src/cli/diagnose/diagnose.js';
import { migrate } from '../src/store/migrate.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';

const NEWER = '9999_of_a_newer_version.sql';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
  await fixture.db.run('insert into migration (name) values ($1)', [NEWER]);
});
afterAll(() => fixture.drop());

test('a database that a newer version has migrated is left alone, with a word that names what is unknown', async () => {
  const message = expect.stringContaining(NEWER);
  await expect(migrate(fixture.db)).rejects.toMatchObject({ code: 'NewerSchema', message });
});

test('the doctor says so', async () => {
  const findings = await diagnoseDatabase(async () => fixture.db);
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'schema', verdict: 'fail', text: expect.stringContaining(NEWER) }),
  );
});
