import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../src/access/key.js';
import { changeOrganization } from '../src/access/organization.js';
import type { Plan } from '../src/billing/plan/plan.js';
import { PaymentFailure, type PaymentProvider } from '../src/billing/plan/provider.js';
import { selectAuditEntries } from '../src/store/access/audit-log.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { makeTenant, type Tenant } from './support/organization.js';

const BILLING = '/portal/organization/billing';
const PREVIEW = '/portal/subscription/upgrade/preview';
const UPGRADE = '/portal/subscription/upgrade';
const START = Date.parse('2026-01-31T12:00:00.000Z');
const DAY_MS = 24 * 60 * 60_000;

const folder = mkdtempSync(join(tmpdir(), 'castellan-plans-'));
const plansFile = join(folder, 'plans.json');
const shipped = JSON.parse(readFileSync(new URL('../plans.json', import.meta.url), 'utf8')) as { plans: Plan[] };
const studio = { ...shipped.plans[2], id: 'studio-growth', category: 'STUDIO', tier: 'studio', priceCents: 1900 };
const negotiated = { ...shipped.plans[4], id: 'partner', name: 'Partner', priceCents: 0, offered: false };

let network: Network;
let now = START;
let alpha: Tenant;
let beta: Tenant;

beforeAll(async () => {
  writeFileSync(plansFile, JSON.stringify({ plans: [...shipped.plans, studio, negotiated] }));
  network = await startNetwork({ CASTELLAN_PLANS_FILE: plansFile, CASTELLAN_DEFAULT_PLAN: 'free' }, undefined, {
    clock: () => now,
  });
  alpha = await makeTenant(network, 'alpha', { email: 'bills@alpha.example' });
  beta = await makeTenant(network, 'beta');
});
afterAll(async () => {
  await network.stop();
  rmSync(folder, { recursive: true });
});

const billingOf = async (tenant: Tenant) => (await network.get(BILLING, tenant.headers)).body;
const preview = (tenant: Tenant, query: string) => network.get(`${PREVIEW}?${query}`, tenant.headers);
const upgrade = (tenant: Tenant, body: unknown) => network.send('POST', UPGRADE, body, tenant.headers);
const told = ({ status, body }: TestResponse) => [status, body.code];
const use = (tenant: Tenant, units: number) =>
  network.sql('update subscription set used_units = $2 where organization_id = $1', [tenant.id, units]);

describe('what an organization has', () => {
  test('the record of one that subscribes to nothing', async () => {
    expect(await network.get(BILLING, alpha.headers)).toMatchObject({
      status: 200,
      body: {
        auth_provider_organization_id: alpha.id,
        organization_name: 'alpha',
        organization_status: 'active',
        billing_email: 'bills@alpha.example',
        effective_plan: 'free',
        plan_tier: null,
        product_category: null,
        product_name: null,
        has_active_subscription: false,
        is_trialing: false,
        subscription_status: null,
        subscription_start: null,
        subscription_end: null,
        payment_customer_id: null,
        payment_product_id: null,
        payment_subscription_id: null,
      },
    });
  });

  test('a key sees only its own organization, even if the request names another one', async () => {
    expect(await billingOf(beta)).toMatchObject({ auth_provider_organization_id: beta.id, billing_email: null });
    const sneaky = `${BILLING}?organization_id=${alpha.id}&auth_provider_organization_id=${alpha.id}`;
    const { body } = await network.get(sneaky, { ...beta.headers, 'x-organization-id': alpha.id });
    expect(body).toMatchObject({ auth_provider_organization_id: beta.id, organization_name: 'beta' });
  });

  test('a key of the installation belongs to the default organization', async () => {
    expect((await network.get(BILLING)).body).toMatchObject({ organization_name: 'default', effective_plan: 'free' });
  });
});

describe('who may', () => {
  test.each([
    ['GET', BILLING, 403, 'Forbidden'],
    ['GET', `${PREVIEW}?newPlan=growth`, 401, 'InsufficientScope'],
    ['POST', UPGRADE, 401, 'InsufficientScope'],
  ])('%s %s without the scope is %i, without a key 401', async (method, path, status, code) => {
    const { db } = network.app.services;
    const scopes = ['read', 'write', 'mute', 'seen', 'host', 'wallet'] as const;
    const reader = await createKey(db, { name: 'reader', appId: alpha.appId, scopes, now: new Date(now) });
    const body = method === 'POST' ? { newPlan: 'growth' } : undefined;
    const lacking = await network.send(method, path, body, { 'x-api-key': reader.secret });
    expect([...told(lacking), lacking.body.message]).toEqual([status, code, 'This API key lacks the scope portal.']);
    for (const key of ['', 'cst_nobody-has-this-key-at-all-0123456789']) {
      const stranger = await network.send(method, path, body, { 'x-api-key': key });
      expect(told(stranger)).toEqual([401, 'Unauthorized']);
      expect(Object.keys(stranger.body).sort()).toEqual(['code', 'message']);
    }
    expect(await billingOf(alpha)).toMatchObject({ effective_plan: 'free' });
  });

  test('keys of an inactive organization are refused, in every family, until it is active again', async () => {
    const tenant = await makeTenant(network, 'sleeper');
    const { db } = network.app.services;
    const set = async (status: 'active' | 'inactive') => {
      await changeOrganization(db, { id: tenant.id, status, now: new Date(now) });
      now += 1000;
    };
    expect((await network.get(BILLING, tenant.headers)).status).toBe(200);
    await set('inactive');
    const portal = await network.get(BILLING, tenant.headers);
    expect(told(portal)).toEqual([401, 'OrganizationInactive']);
    expect(portal.body.message).toContain('Ask the operator');
    expect(told(await network.get('/v2/social/user/bulk?fids=1', tenant.headers))).toEqual([
      401,
      'OrganizationInactive',
    ]);
    const hub = await network.get('/v1/info', tenant.headers);
    expect([hub.status, hub.body.errCode]).toEqual([401, 'unauthenticated']);
    expect((await network.get(BILLING, beta.headers)).status).toBe(200);
    await set('active');
    expect((await network.get(BILLING, tenant.headers)).status).toBe(200);
  });
});

describe('what cannot be', () => {
  test.each([
    ['newPlan=gold', 404, 'NotFound'],
    ['newPlan=', 404, 'NotFound'],
    ['newPlan=free', 400, 'InvalidField'],
    ['newPlan=scale&productCategory=STUDIO', 404, 'NotFound'],
    ['newPlan=scale&productCategory=api', 400, 'InvalidField'],
    ['newPlan=partner', 400, 'PlanNotOffered'],
    ['', 400, 'InvalidField'],
    ['productCategory=API', 400, 'InvalidField'],
  ])('preview and upgrade to %s', async (query, status, code) => {
    const seen = await preview(beta, query);
    expect(told(seen)).toEqual([status, code]);
    expect(Object.keys(seen.body).sort()).toEqual(['code', 'message']);
    const made = await upgrade(beta, Object.fromEntries(new URLSearchParams(query)));
    expect(told(made)).toEqual([status, code]);
    expect(await billingOf(beta)).toMatchObject({ effective_plan: 'free', subscription_status: null });
  });

  test('an unknown plan names those that there are, without those that are not offered', async () => {
    const { message } = (await preview(beta, 'newPlan=gold')).body;
    expect(message).toBe('There is no plan "gold". Choose one of Free, Starter, Growth, Scale, Enterprise.');
  });

  test.each([['{'], ['[]'], ['{"newPlan":7}'], ['{"newPlan":"growth","productCategory":"OTHER"}']])(
    'the body %s is 400',
    async (text) => {
      const answer = await network.send('POST', UPGRADE, new TextEncoder().encode(text), beta.headers);
      expect(told(answer)).toEqual([400, 'InvalidField']);
    },
  );

  test('a wrong method keeps the form of the family', async () => {
    const answer = await network.send('DELETE', UPGRADE, undefined, beta.headers);
    expect(told(answer)).toEqual([405, 'MethodNotAllowed']);
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'message']);
  });
});

describe('a plan is changed', () => {
  test('up: at once, for what the preview said, in a new period', async () => {
    const tenant = await makeTenant(network, 'climber');
    await use(tenant, 1000);
    const first = await preview(tenant, 'newPlan=GROWTH');
    expect(first).toMatchObject({
      status: 200,
      body: {
        currentPlan: { name: 'Free', price: 0, computeUnitsLimit: 10_000_000, computeUnitsUsed: 1000 },
        newPlan: { name: 'Growth', price: 49, computeUnitsLimit: 150_000_000 },
        credit: { unitRate: 0, creditAmount: 0 },
        chargeAmount: 49,
        billingDateUnchanged: false,
        usageCarriesOver: false,
      },
    });
    expect(await billingOf(tenant)).toMatchObject({ effective_plan: 'free' });
    const applied = await upgrade(tenant, { newPlan: 'gRoWtH', productCategory: 'API' });
    expect(applied).toMatchObject({
      status: 200,
      body: { success: true, newPlan: 'Growth', creditApplied: 0, chargeAmount: 49, effectiveImmediately: true },
    });
    expect(await billingOf(tenant)).toMatchObject({
      effective_plan: 'growth',
      plan_tier: 'growth',
      product_category: 'API',
      product_name: 'Growth',
      has_active_subscription: true,
      is_trialing: false,
      subscription_status: 'active',
      subscription_start: new Date(now).toISOString(),
    });

    now += DAY_MS;
    await use(tenant, 30_000_000);
    const second = await preview(tenant, 'newPlan=Scale');
    // 120 of 150 million units are left of 49 dollars: 39.20.
    expect(second.body).toMatchObject({
      currentPlan: { name: 'Growth', price: 49, computeUnitsLimit: 150_000_000, computeUnitsUsed: 30_000_000 },
      credit: { unusedUnits: 120_000_000, unitRate: 49 / 150_000_000, creditAmount: 39.2 },
      chargeAmount: 209.8,
    });
    expect((await upgrade(tenant, { newPlan: 'scale' })).body).toMatchObject({
      creditApplied: 39.2,
      chargeAmount: 209.8,
      effectiveImmediately: true,
    });
    expect(await billingOf(tenant)).toMatchObject({ effective_plan: 'scale' });
    expect(await billingOf(beta)).toMatchObject({ effective_plan: 'free' });
  });

  test('down: when the period ends, for nothing; keeping the plan takes that back', async () => {
    const tenant = await makeTenant(network, 'sinker');
    await upgrade(tenant, { newPlan: 'growth' });
    const { subscription_end: end } = await billingOf(tenant);
    const seen = await preview(tenant, 'newPlan=starter');
    expect(seen.body).toMatchObject({ chargeAmount: 0, billingDateUnchanged: true, usageCarriesOver: true });
    const down = { success: true, newPlan: 'Starter', creditApplied: 0, chargeAmount: 0, effectiveImmediately: false };
    expect((await upgrade(tenant, { newPlan: 'Starter' })).body).toEqual(down);
    expect(await billingOf(tenant)).toMatchObject({ effective_plan: 'growth', subscription_end: end });
    expect(told(await upgrade(tenant, { newPlan: 'Starter' }))).toEqual([400, 'InvalidField']);
    expect((await upgrade(tenant, { newPlan: 'growth' })).body).toMatchObject({ success: true, chargeAmount: 0 });
    expect(told(await upgrade(tenant, { newPlan: 'growth' }))).toEqual([400, 'InvalidField']);
    await upgrade(tenant, { newPlan: 'starter' });

    const before = now;
    now = Date.parse(end);
    expect(await billingOf(tenant)).toMatchObject({ effective_plan: 'starter', subscription_start: end });
    now = before;
  });

  test('within a category, and to a plan without a limit', async () => {
    const tenant = await makeTenant(network, 'artist');
    const other = await preview(tenant, 'newPlan=growth&productCategory=STUDIO');
    expect(other.body).toMatchObject({ newPlan: { name: 'Growth', price: 19 }, chargeAmount: 19 });
    expect((await preview(tenant, 'newPlan=enterprise')).body).toMatchObject({
      newPlan: { price: 999, computeUnitsLimit: 9_007_199_254_740_991 },
    });
    await upgrade(tenant, { newPlan: 'growth', productCategory: 'STUDIO' });
    expect(await billingOf(tenant)).toMatchObject({ effective_plan: 'studio-growth', product_category: 'STUDIO' });
    await upgrade(tenant, { newPlan: 'enterprise' });
    expect((await preview(tenant, 'newPlan=scale')).body).toMatchObject({
      currentPlan: { name: 'Enterprise', computeUnitsLimit: 9_007_199_254_740_991 },
      credit: { unusedUnits: 0, unitRate: 0, creditAmount: 0 },
      chargeAmount: 0,
    });
  });

  test('to or from the default plan, which costs nothing', async () => {
    const development = await startNetwork({}, undefined, { clock: () => now });
    try {
      const tenant = await makeTenant(development, 'developer');
      const ask = (plan: string) => development.get(`${PREVIEW}?newPlan=${plan}`, tenant.headers);
      expect((await ask('starter')).body).toMatchObject({
        currentPlan: { name: 'Enterprise', price: 0 },
        newPlan: { name: 'Starter', price: 9 },
        chargeAmount: 9,
      });
      expect((await development.send('POST', UPGRADE, { newPlan: 'starter' }, tenant.headers)).status).toBe(200);
      expect((await ask('enterprise')).body).toMatchObject({
        currentPlan: { name: 'Starter', price: 9 },
        newPlan: { name: 'Enterprise', price: 0 },
        chargeAmount: 0,
      });
    } finally {
      await development.stop();
    }
  });

  test('with a slash at the end of each path', async () => {
    const tenant = await makeTenant(network, 'slash');
    expect((await network.get(`${BILLING}/`, tenant.headers)).status).toBe(200);
    expect((await network.get(`${PREVIEW}/?newPlan=starter`, tenant.headers)).status).toBe(200);
    expect((await network.send('POST', `${UPGRADE}/`, { newPlan: 'starter' }, tenant.headers)).status).toBe(200);
    expect(await billingOf(tenant)).toMatchObject({ effective_plan: 'starter' });
  });

  test('one of two at the same moment, and the other is told so in a 400', async () => {
    const tenant = await makeTenant(network, 'hasty');
    const answers = await Promise.all(Array.from({ length: 6 }, () => upgrade(tenant, { newPlan: 'growth' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer.status).toBe(400);
      expect(['ChangeUnderway', 'InvalidField']).toContain(answer.body.code);
    }
    const rows = await network.sql('select from invoice where organization_id = $1', [tenant.id]);
    expect(rows).toHaveLength(1);
  });

  test('every change is in the log with its key, its time and its request', async () => {
    const tenant = await makeTenant(network, 'logged');
    const requestId = randomUUID();
    const headers = { ...tenant.headers, 'x-request-id': requestId };
    const { headers: answered } = await network.send('POST', UPGRADE, { newPlan: 'starter' }, headers);
    const entries = await selectAuditEntries(network.app.services.db, tenant.id, 10);
    expect(entries.map(({ action }) => action)).toEqual(['plan.upgraded', 'key.made', 'app.made', 'organization.made']);
    expect(entries[0]).toMatchObject({
      organizationId: tenant.id,
      keyId: tenant.keyId,
      keyName: 'logged key',
      requestId: answered.get('x-request-id'),
      at: new Date(now),
      detail: { fromPlanId: null, toPlanId: 'starter', chargeCents: 900 },
    });
  });
});

describe('a payment does not work', () => {
  /** Puts another provider in the place of the books; the port is what the real one implements. */
  const failing = async (failure: PaymentFailure, work: () => Promise<void>) => {
    const { money } = network.app.services;
    const { provider } = money;
    const broken: PaymentProvider = {
      ...provider,
      name: 'stripe',
      charge: async () => {
        throw failure;
      },
    };
    Object.assign(money, { provider: broken });
    await work().finally(() => Object.assign(money, { provider }));
  };

  test('a declined card is 402 with what it is', async () => {
    const tenant = await makeTenant(network, 'declined');
    const paymentMethod = { brand: 'visa', last4: '0002' };
    await failing(new PaymentFailure('declined', 'The card was declined.', { paymentMethod }), async () => {
      const answer = await upgrade(tenant, { newPlan: 'growth' });
      expect(told(answer)).toEqual([402, 'PaymentRequired']);
      expect(answer.body).toMatchObject({ message: expect.stringContaining('declined'), paymentMethod });
    });
    expect(await billingOf(tenant)).toMatchObject({ effective_plan: 'free' });
    expect((await upgrade(tenant, { newPlan: 'growth' })).status).toBe(200);
  });

  test('no card is 402 without one', async () => {
    const tenant = await makeTenant(network, 'cardless');
    await failing(new PaymentFailure('no_payment_method', 'There is no payment method.'), async () => {
      const answer = await upgrade(tenant, { newPlan: 'growth' });
      expect(told(answer)).toEqual([402, 'PaymentRequired']);
      expect(answer.body).not.toHaveProperty('paymentMethod');
    });
  });

  test('a provider that is away is 500, and until that is resolved another change is 400 with a code', async () => {
    const tenant = await makeTenant(network, 'in the dark');
    await failing(new PaymentFailure('unavailable', 'The provider does not answer.'), async () => {
      const answer = await upgrade(tenant, { newPlan: 'growth' });
      expect(told(answer)).toEqual([500, 'PaymentUnresolved']);
      expect(answer.body.message).toContain('request');
    });
    expect(told(await preview(tenant, 'newPlan=growth'))).toEqual([400, 'ChangeUnderway']);
    expect(told(await upgrade(tenant, { newPlan: 'starter' }))).toEqual([400, 'ChangeUnderway']);
    expect(await billingOf(tenant)).toMatchObject({ effective_plan: 'free' });
  });
});
