import { expect, test } from 'vitest';
import { CHANNELS, HUBBLE, SNAPCHAIN } from './peer-case/list.js';
import { isTried } from './peer-case/peer-case.js';
import { verdictOf } from './peer-case/table.js';

const groups = [...SNAPCHAIN, ...CHANNELS, ...HUBBLE];

test('each group has an id of its own, and each case says how it is tried, once', () => {
  const ids = groups.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  for (const { id, rows } of groups)
    for (const [index, row] of rows.entries())
      if (isTried(row))
        expect([id, index + 1, row.request === undefined || row.run === undefined]).toEqual([id, index + 1, true]);
});

test('a difference has its reason, and nothing else has one', () => {
  const wrong = groups.flatMap((group) =>
    group.rows.flatMap((row, index) => {
      const isDifferent = verdictOf(group, row) === 'differs';
      return isTried(row) && isDifferent !== (row.reason !== undefined) ? [`${group.id}-${index + 1}`] : [];
    }),
  );
  expect(wrong).toEqual([]);
});
