import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.js';
import { HubLeader } from './leader.js';

test('the state of a leader of an older version has all members', async () => {
  const { db, drop } = await openTestDatabase();
  onTestFinished(drop);
  // It knew no streams.
  const state = { connected: true, hubBehind: 3 };
  await db.run(
    `insert into hub_leader (process, leads_until, state) values (gen_random_uuid(), now() + interval '1 hour', $1)
     on conflict (only_row) do update set leads_until = excluded.leads_until, state = excluded.state`,
    [JSON.stringify(state)],
  );
  const failed = vi.fn();
  const leader = new HubLeader({
    // Another process may lead where the database is a server.
    db: Object.create(db, { kind: { value: 'postgres' } }),
    canLead: false,
    follow: () => {
      throw new Error('does not lead');
    },
    ended: () => undefined,
    failed,
  });
  leader.start();
  await expect.poll(() => leader.state.connected).toBe(true);
  expect(leader.state).toEqual({ ...state, streams: [], lagSeconds: undefined, backfill: undefined });
  expect(failed).not.toHaveBeenCalled();
  await leader.stop();
});
