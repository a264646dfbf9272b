import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../src/access/key.js';
import { billingJobs } from '../src/billing/billing-job.js';
import { auditBilling } from './support/audit-billing.js';
import { type Network, startNetwork } from './support/network.js';

const MINUTE_MS = 60_000;

let now = Date.parse('2027-01-31T12:00:00.000Z');
let network: Network;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_DEFAULT_PLAN: 'free' }, undefined, { clock: () => now });
});
afterAll(() => network.stop());

const page = readFileSync(new URL('../docs/billing.md', import.meta.url), 'utf8');
const [, section = ''] = page.split('## Credit and charge: a worked example\n');
const answers = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text as string));
/** Sums of money in a row of the table of the books. */
const balance = (account: string): number => {
  const row = section.split('\n').find((line) => line.startsWith(`| ${account} |`)) ?? '';
  return Number(row.split('|').at(-2));
};

const upgrade = (newPlan: string) => network.send('POST', '/portal/subscription/upgrade', { newPlan });
const use = (units: number) =>
  network.sql('update subscription set used_units = used_units + $2 where organization_id = $1', [
    DEFAULT_ORGANIZATION_ID,
    units,
  ]);

test('the worked example of docs/billing.md is what the service answers, and what its books hold', async () => {
  const [previewed, upgraded] = answers;
  expect((await upgrade('starter')).body).toMatchObject({ chargeAmount: 9 });
  await use(10_000_001);
  const preview = await network.get('/portal/subscription/upgrade/preview?newPlan=growth');
  expect(preview).toMatchObject({ status: 200, body: previewed });
  await use(5_000_000);
  now += 8 * MINUTE_MS;
  expect(await upgrade('growth')).toMatchObject({ status: 200, body: upgraded });
  const [row] = await network.sql<{ used: number; start: Date }>(
    'select used_units as used, period_start as start from subscription where organization_id = $1',
    [DEFAULT_ORGANIZATION_ID],
  );
  expect(row).toEqual({ used: 5_000_000, start: new Date(now) });
  const books = await network.sql<{ account: string; cents: number }>(
    'select account, sum(amount_cents)::bigint as cents from ledger_entry group by account order by account',
  );
  const accounts = ['cash', 'credit', 'receivable', 'revenue'];
  expect(books).toEqual(accounts.map((account) => ({ account, cents: Math.round(balance(account) * 100) })));
  expect(balance('cash')).toBe(52.61);
  expect(await auditBilling(network.app.core.db)).toEqual([]);
});

test('a downgrade says that nothing changes yet, the present plan is refused, and so is what there is not', async () => {
  const preview = await network.get('/portal/subscription/upgrade/preview?newPlan=Starter');
  expect(preview.body).toMatchObject({ chargeAmount: 0, billingDateUnchanged: true, usageCarriesOver: true });
  expect((await upgrade('Starter')).body).toMatchObject({ effectiveImmediately: false, chargeAmount: 0 });
  expect((await upgrade('starter')).status).toBe(400);
  expect((await upgrade('growth')).body).toMatchObject({ success: true, chargeAmount: 0 });
  expect((await upgrade('growth')).status).toBe(400);
  expect((await upgrade('nothing')).status).toBe(404);
});

test('twenty upgrades at once over HTTP: one is made, the others get 400', async () => {
  const ended = await Promise.all(Array.from({ length: 20 }, () => upgrade('scale')));
  const made = ended.filter(({ status }) => status === 200);
  expect(made).toHaveLength(1);
  expect(ended.filter(({ status }) => status === 400)).toHaveLength(19);
  const [sum] = await network.sql<{ cents: number }>(
    `select sum(amount_cents)::bigint as cents from ledger_entry where account = 'cash'`,
  );
  expect(sum?.cents).toBe(5261 + Math.round(made[0]?.body.chargeAmount * 100));
});

test('a change that a dead process left behind is given up by the job, and the organization may go on', async () => {
  await network.sql(
    `insert into plan_change (id, organization_id, kind, to_plan_id, state, price_cents, unused_cents, credit_cents,
       charge_cents, used_units, period_start, provider, created_at, updated_at)
     values (gen_random_uuid(), $1, 'upgrade', 'enterprise', 'pending', 99900, 0, 0, 99900, 0, $2, 'ledger', $2, $2)`,
    [DEFAULT_ORGANIZATION_ID, new Date(now)],
  );
  const refused = await upgrade('enterprise');
  expect(refused).toMatchObject({ status: 400, body: { code: 'ChangeUnderway' } });
  now += 2 * MINUTE_MS;
  const failed = (error: unknown) => expect.unreachable(String(error));
  const jobs = billingJobs({ money: network.app.services.money, clock: () => now, failed });
  await jobs.find(({ name }) => name === 'resolve-plan-changes')?.run(new AbortController().signal);
  const states = await network.sql(`select state from plan_change where to_plan_id = 'enterprise'`);
  expect(states).toEqual([{ state: 'failed' }]);
  expect((await upgrade('enterprise')).status).toBe(200);
});
