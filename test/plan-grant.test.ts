import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantPlan } from '../src/billing/plan/grant.js';
import { endInvoice } from '../src/billing/plan/invoice-settlement.js';
import { createPlans, type Plan } from '../src/billing/plan/plan.js';
import { requireSubscribedPlans } from '../src/billing/plan/subscribed-plan.js';
import { selectAuditEntries } from '../src/store/access/audit-log.js';
import { BILLING_CHECKS } from '../src/store/audit/billing.js';
import { type Network, startNetwork } from './support/network.js';
import { makeTenant, type Tenant } from './support/organization.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-grant-'));
const plansFile = join(folder, 'plans.json');
const shipped = JSON.parse(readFileSync(new URL('../plans.json', import.meta.url), 'utf8')) as { plans: Plan[] };
const negotiated = { ...shipped.plans[4], id: 'partner', name: 'Partner', priceCents: 0, offered: false };
const now = Date.parse('2026-01-31T12:00:00.000Z');

let network: Network;

beforeAll(async () => {
  writeFileSync(plansFile, JSON.stringify({ plans: [...shipped.plans, negotiated] }));
  network = await startNetwork({ CASTELLAN_PLANS_FILE: plansFile, CASTELLAN_DEFAULT_PLAN: 'free' }, undefined, {
    clock: () => now,
  });
});
afterAll(async () => {
  await network.stop();
  rmSync(folder, { recursive: true });
});

const billingOf = async (tenant: Tenant) => (await network.get('/portal/organization/billing', tenant.headers)).body;
const preview = (tenant: Tenant, query: string) =>
  network.get(`/portal/subscription/upgrade/preview?${query}`, tenant.headers);
const upgrade = (tenant: Tenant, body: unknown) =>
  network.send('POST', '/portal/subscription/upgrade', body, tenant.headers);

describe('an operator grants a plan', () => {
  const grant = (tenant: Tenant, planId: string) => {
    const { money, plans } = network.app.services;
    return grantPlan(money, { organizationId: tenant.id, plan: plans.byId(planId), now: new Date(now) });
  };

  test('at once, for nothing; what it is worth is not credited, and what is not offered can be given', async () => {
    const tenant = await makeTenant(network, 'guest');
    await grant(tenant, 'growth');
    expect(await billingOf(tenant)).toMatchObject({ effective_plan: 'growth', has_active_subscription: true });
    expect((await preview(tenant, 'newPlan=scale')).body).toMatchObject({
      credit: { creditAmount: 0 },
      chargeAmount: 249,
    });
    await grant(tenant, 'partner');
    expect(await billingOf(tenant)).toMatchObject({ effective_plan: 'partner' });
    await expect(grant(tenant, 'partner')).rejects.toMatchObject({ kind: 'invalid', property: 'plan' });
    const rows = await network.sql('select from ledger_entry where organization_id = $1', [tenant.id]);
    expect(rows).toEqual([]);
    await grant(tenant, 'free');
    expect(await billingOf(tenant)).toMatchObject({ effective_plan: 'free', subscription_status: null });
  });

  test('but not while the payment provider keeps the subscription', async () => {
    const tenant = await makeTenant(network, 'kept');
    await network.sql(
      `update subscription set plan_id = 'starter', status = 'active', provider = 'stripe',
              provider_subscription_id = 'sub_kept' where organization_id = $1`,
      [tenant.id],
    );
    await expect(grant(tenant, 'growth')).rejects.toMatchObject({ kind: 'conflict', code: 'KeptByProvider' });
  });
});

test('a service does not start on a file that lacks a plan which somebody has', async () => {
  const { core, services } = network.app;
  const tenant = await makeTenant(network, 'left behind');
  await upgrade(tenant, { newPlan: 'starter' });
  await expect(requireSubscribedPlans(core.db, services.plans)).resolves.toBeUndefined();
  const fewer = createPlans(
    services.plans.all.filter(({ id }) => id !== 'starter'),
    'free',
  );
  await expect(requireSubscribedPlans(core.db, fewer)).rejects.toMatchObject({
    problems: [
      {
        variable: 'CASTELLAN_PLANS_FILE',
        problem: expect.stringMatching(/organizations have: starter \(\d+\)\. Bring/),
      },
    ],
  });
  // Nor on one that lacks a plan that a change under way is to.
  await network.sql(
    `insert into plan_change
       (id, organization_id, kind, to_plan_id, state, price_cents, unused_cents, credit_cents, charge_cents, used_units,
        period_start, provider, created_at, updated_at)
     select gen_random_uuid(), organization_id, 'upgrade', 'vanished', 'pending', 0, 0, 0, 0, 0, period_start,
            'stripe', now(), now() from subscription where organization_id = $1`,
    [tenant.id],
  );
  await expect(requireSubscribedPlans(core.db, services.plans)).rejects.toMatchObject({
    problems: [{ problem: expect.stringContaining('vanished (1)') }],
  });
  await network.sql(`delete from plan_change where to_plan_id = 'vanished'`);
});

test('after all that the books balance', async () => {
  expect(Object.keys(BILLING_CHECKS).length).toBeGreaterThan(4);
  for (const [check, sql] of Object.entries(BILLING_CHECKS)) {
    expect({ check, found: await network.sql(sql) }).toEqual({ check, found: [] });
  }
  const { db } = network.app.services;
  const [open] = await network.sql<{ id: string; organization: string }>(
    `update invoice set state = 'open', paid_at = null
      where id = (select id from invoice where amount_cents > 0 order by created_at limit 1)
      returning id, organization_id as organization`,
  );
  await endInvoice(db, { id: open?.id ?? '', as: 'paid', now: new Date(now) });
  const [entry] = await selectAuditEntries(db, open?.organization ?? '', 1);
  expect(entry).toMatchObject({ action: 'invoice.settled', keyId: null, detail: { invoiceId: open?.id } });
});
