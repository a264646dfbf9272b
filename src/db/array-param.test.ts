import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { byteaArray, numberArray } from './array-param.js';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

const bytes = [Buffer.from([0, 1, 255]), null, new Uint8Array([7, 8, 9]).subarray(1, 2), Buffer.alloc(0), undefined];

test.each([
  ['values, nulls and empty values', bytes],
  ['no values', []],
  ['many values', Array.from({ length: 3000 }, (_, n) => Buffer.alloc(n % 300, n))],
])('an array of bytes arrives as it was sent: %s', async (_, values) => {
  const [row] = await fixture.db.run<{ sent: (Buffer | null)[] }>('select $1::bytea[] as sent', [byteaArray(values)]);
  expect(row?.sent).toEqual(values.map((value) => (value ? Buffer.from(value) : null)));
});

test.each([
  ['bigint', [0, -1, Number.MAX_SAFE_INTEGER, null]],
  ['integer', [2_147_483_647, undefined, 5]],
  ['smallint', []],
])('an array of numbers arrives as it was sent: %s', async (type, values) => {
  const [row] = await fixture.db.run<{ sent: (number | null)[] }>(
    `select array(select v::float8 from unnest($1::${type}[]) v) as sent`,
    [numberArray(values)],
  );
  expect(row?.sent).toEqual(values.map((value) => value ?? null));
});
