import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { expectIndexed, explain, planNodes } from '../../../test/support/plan.js';
import type { Param, Session, Statement } from '../../db/statement.js';
import { deleteOldDeliveries } from './retention.js';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
  await fixture.db.script(`
    insert into organization (id, name) values ('00000000-0000-0000-0000-00000000000a', 'a');
    insert into app (id, organization_id, name)
         values ('00000000-0000-0000-0000-00000000000b', '00000000-0000-0000-0000-00000000000a', 'a');
    insert into webhook (id, app_id, title, target_url, filters, subscription_id, dialect, active, after_log_id,
                         created_at, updated_at, subscription_updated_at)
         values (gen_random_uuid(), '00000000-0000-0000-0000-00000000000b', 'a', 'https://a.example/', '{}',
                 gen_random_uuid(), 'neutral', true, 0, now(), now(), now());
    insert into webhook_event (log_id, part, dialect, created_at, body)
         select n, 0, 'neutral', now() - (20000 - n) * interval '1 minute', '{}' from generate_series(1, 20000) n;
    insert into webhook_delivery (id, webhook_id, log_id, part, type, state, next_at, expires_at, created_at)
         select gen_random_uuid(), id, n, 0, 'cast.created', 'pending', now(), now() + interval '1 day', now()
           from webhook, generate_series(1, 20000) n;`);
  await fixture.db.script('analyze webhook_event; analyze webhook_delivery');
}, 120_000);
afterAll(() => fixture.drop());

test('bodies that no delivery has any more are found without reading all deliveries', async () => {
  const sent: [Statement<unknown>, readonly Param[]][] = [];
  const run = async (statement: unknown, params: readonly Param[]): Promise<unknown[]> => {
    sent.push([statement as Statement<unknown>, params]);
    return [];
  };
  await deleteOldDeliveries({ ...fixture.db, run } as Session, new Date(Date.now() - 19_990 * 60_000));
  const [statement, params] = sent.at(-1) as (typeof sent)[number];
  const plan = await explain(fixture.db, statement, params);
  expect(statement.name).toBe('delete_old_event_bodies');
  // It is sent without a name, so it is planned for its time.
  expectIndexed({ ...plan, generic: plan.custom });
  // Not the one that begins with the webhook, of which a search without it reads everything.
  expect(planNodes(plan.custom).map((node) => node['Index Name'])).toContain('webhook_delivery_event');
});
