import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { createLog } from '../../log.js';
import {
  FAILED_FIDS,
  FAILED_GAP_FIDS,
  type OpenSync,
  requestSync,
  selectFailedFids,
  selectOpenSyncs,
  upsertSynced,
} from '../../store/hub/sync.js';
import type { SyncDependencies } from './removed-message.js';
import { postponeFailed } from './sync.js';

const HUB = 'hub.example';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

test('what accounts missed in a gap is announced later, and what was never loaded is not', async () => {
  const { db } = fixture;
  const deps = {
    db,
    client: { hub: HUB },
    log: createLog('silent'),
    signal: new AbortController().signal,
  } as unknown as SyncDependencies;
  const open = () => selectOpenSyncs(db, HUB, [1, FAILED_FIDS, FAILED_GAP_FIDS]);
  const failIn = async (reason: OpenSync['reason'], fids: readonly number[]): Promise<void> => {
    await requestSync(db, HUB, 1, reason);
    const sync = (await open()).find(({ shard }) => shard === 1) as OpenSync;
    await postponeFailed(deps, sync, fids);
  };
  await failIn('first', [4]);
  await failIn('gap', [4, 5]);
  await failIn('again', [5, 6]);
  expect(await selectFailedFids(db, HUB, FAILED_FIDS)).toEqual([4, 6]);
  expect(await selectFailedFids(db, HUB, FAILED_GAP_FIDS)).toEqual([5]);
  const requests = await open();
  // Only syncs with the reason `gap` are announced.
  expect(requests.map(({ shard, reason }) => [shard, reason])).toEqual([
    [FAILED_GAP_FIDS, 'gap'],
    [FAILED_FIDS, 'first'],
  ]);
  await upsertSynced(db, HUB, requests[0] as OpenSync, [5]);
  expect(await selectFailedFids(db, HUB, FAILED_GAP_FIDS)).toEqual([]);
});
