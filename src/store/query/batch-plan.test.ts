import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { expectIndexed, explainReads, planNodes } from '../../../test/support/plan.js';
import type { Database } from '../../db/database.js';
import {
  selectBatchCastReferences,
  selectBatchCasts,
  selectBatchFollows,
  selectBatchReactions,
  selectBatchSignerEvents,
} from './batch.js';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

const read = { fids: [1, 2, 3], limit: 101, bytes: 1000 };

const reads: [string, index: string, (db: Database) => Promise<unknown>][] = [
  ['follows', 'message_page', (db) => selectBatchFollows(db, read)],
  ['reactions', 'message_page', (db) => selectBatchReactions(db, read)],
  ['references of casts', 'cast_author', (db) => selectBatchCastReferences(db, read)],
  ['casts', 'message_page', (db) => selectBatchCasts(db, read)],
  ['events', 'onchain_event_pkey', (db) => selectBatchSignerEvents(db, read)],
];

test.each(reads)('%s of many accounts: one statement, which reads an index in order', async (_, index, work) => {
  const plans = await explainReads(fixture.db, work, { fewRows: true });
  expect(plans).toHaveLength(1);
  expectIndexed(plans);
  for (const { custom, generic } of plans) {
    for (const plan of [custom, generic]) {
      const used = planNodes(plan).flatMap((node) => node['Index Name'] ?? []);
      expect(used).toEqual([index]);
    }
  }
});
