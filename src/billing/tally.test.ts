import { expect, test } from 'vitest';
import { Tally } from './tally.js';

const NOON = Date.UTC(2026, 10, 20, 12);
const call = (operation: string, units = 1) => ({
  organizationId: 'organization',
  keyId: 'key',
  planId: null,
  operation,
  units,
});

test('adds up by operation and UTC day, and numbers its batches', () => {
  const tally = new Tally('process');
  for (const units of [1, 2, 3]) tally.add(call('one', units), NOON);
  tally.add(call('other', 10), NOON);
  tally.add(call('one', 5), NOON + 12 * 3_600_000);
  const { batch, units } = tally.take(NOON);
  const shared = { organizationId: 'organization', keyId: 'key' };
  expect(batch).toEqual({
    processId: 'process',
    sequence: 1,
    writtenAt: new Date(NOON),
    rows: [
      { ...shared, day: '2026-11-20', operation: 'one', calls: 3, units: 6 },
      { ...shared, day: '2026-11-20', operation: 'other', calls: 1, units: 10 },
      { ...shared, day: '2026-11-21', operation: 'one', calls: 1, units: 5 },
    ],
  });
  expect(units).toEqual(new Map([['organization', 21]]));
  expect(tally.isEmpty).toBe(true);
  tally.add(call('one'), NOON);
  expect(tally.take(NOON).batch.sequence).toBe(2);
});

test('counts each organization, key and day by itself, also where the clock goes back', () => {
  const tally = new Tally('process');
  const of = (organizationId: string, keyId: string) => ({ ...call('one'), organizationId, keyId });
  const days = [NOON, NOON + 86_400_000, NOON];
  for (const now of days) for (const key of ['a', 'b']) tally.add(of('first', key), now);
  tally.add(of('second', 'a'), NOON);
  tally.add(of('first', 'a'), NOON);
  const rows = tally
    .take(NOON)
    .batch.rows.map(({ organizationId, keyId, day, calls }) => [organizationId, keyId, day, calls]);
  expect(rows).toEqual([
    ['first', 'a', '2026-11-20', 3],
    ['first', 'b', '2026-11-20', 2],
    ['first', 'a', '2026-11-21', 1],
    ['first', 'b', '2026-11-21', 1],
    ['second', 'a', '2026-11-20', 1],
  ]);
});

test('is bounded: what there is no room for is told as lost, what has its place goes on counting', () => {
  const tally = new Tally('process');
  for (let n = 0; n < 100_000; n++) expect(tally.add(call(`operation ${n}`), NOON)).toBe(true);
  expect(tally.add(call('one too many', 7), NOON)).toBe(false);
  expect(tally.add(call('operation 5'), NOON)).toBe(true);
  expect([tally.takeLost(), tally.takeLost()]).toEqual([7, 0]);
  expect(tally.take(NOON).units.get('organization')).toBe(100_001);
});

test('writes a row once, and forgets those that nobody calls', () => {
  const tally = new Tally('process');
  const taken = () => tally.take(NOON).batch.rows.map(({ operation, calls, units }) => [operation, calls, units]);
  for (let n = 0; n < 100_000; n++) tally.add(call(`operation ${n}`), NOON);
  expect(taken()).toHaveLength(100_000);
  expect(tally.isEmpty).toBe(true);
  tally.add(call('operation 5', 2), NOON);
  expect(taken()).toEqual([['operation 5', 1, 2]]);
  // Their places are free again.
  for (let n = 0; n < 99_999; n++) expect(tally.add(call(`other ${n}`), NOON)).toBe(true);
  expect(tally.add(call('operation 5', 3), NOON)).toBe(true);
  expect(tally.add(call('operation 6'), NOON)).toBe(false);
  expect(taken()).toHaveLength(100_000);
  expect(taken()).toEqual([]);
});
