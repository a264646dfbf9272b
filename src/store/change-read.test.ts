import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { explainReads, planNodes } from '../../test/support/plan.js';
import { insertChange, invalidationOf } from './change.js';
import { selectChanges } from './change-read.js';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

test('a look returns what was committed since the transaction that was open, and was not seen', async () => {
  const { xmin } = await selectChanges(fixture.db, null, []);
  for (const tag of [1, 2, 3]) await insertChange(fixture.db, invalidationOf([tag]));
  const { rows } = await selectChanges(fixture.db, xmin, []);
  expect(rows.map(({ tags }) => tags)).toEqual([[1], [2], [3]]);
  const seen = rows.filter(({ tags }) => !tags.includes(2)).map(({ id }) => id);
  expect((await selectChanges(fixture.db, xmin, seen)).rows.map(({ tags }) => tags)).toEqual([[2]]);
  expect(
    (
      await selectChanges(
        fixture.db,
        xmin,
        rows.map(({ id }) => id),
      )
    ).rows,
  ).toEqual([]);
});

// A backup or a forgotten session may keep a transaction open for an hour, with 30,000 changes seen since it began.
test('a look hashes what was seen, also while the planner knows of no rows', async () => {
  const plans = await explainReads(fixture.db, (db) => selectChanges(db, '1', [1, 2, 3]));
  const filters = plans.flatMap(({ custom, generic }) =>
    [custom, generic].map((plan) =>
      planNodes(plan)
        .flatMap(({ Filter = [] }) => Filter)
        .join(),
    ),
  );
  expect(filters).toEqual([expect.stringContaining('hashed SubPlan'), expect.stringContaining('hashed SubPlan')]);
});
