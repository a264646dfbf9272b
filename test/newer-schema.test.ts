import { afterAll, beforeAll, expect, test } from 'vitest';
import { diagnoseDatabase } from '../src/cli/diagnose/diagnose.js';
import { migrate } from '../src/db/migrate.js';
import { requireCurrentSchema } from '../src/db/schema-state.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';

const NEWER = '9999_of_a_newer_version.sql';
/** A migration of before 0.1.0. */
const OUTDATED = '0002_access.sql';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

const addMigration = (name: string) => fixture.db.run('insert into migration (name) values ($1)', [name]);

test('a database of a newer version is refused, and the doctor says so', async () => {
  await addMigration(NEWER);
  const message = expect.stringMatching(`newer version.*${NEWER}`);
  await expect(migrate(fixture.db)).rejects.toMatchObject({ code: 'NewerSchema', message });
  expect(await diagnoseDatabase(async () => fixture.db)).toContainEqual(
    expect.objectContaining({ check: 'schema', result: 'fail', text: expect.stringContaining(NEWER) }),
  );
});

test('a database from before 0.1.0 is refused with what to do, and the doctor says so', async () => {
  await addMigration(OUTDATED);
  const message = expect.stringMatching(`before 0.1.0.*${OUTDATED}.*empty database.*castellan import`);
  await expect(migrate(fixture.db)).rejects.toMatchObject({ code: 'OutdatedSchema', message });
  await expect(requireCurrentSchema(fixture.db, () => new Error('absent') as never)).rejects.toMatchObject({ message });
  expect(await diagnoseDatabase(async () => fixture.db)).toContainEqual(
    expect.objectContaining({ check: 'schema', result: 'fail', text: expect.stringContaining(OUTDATED) }),
  );
});
