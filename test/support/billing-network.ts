import { createKey } from '../../src/access/key.js';
import { recoverChanges } from '../../src/billing/plan/change-recovery.js';
import { readPlans } from '../../src/billing/plan/plan.js';
import { createLog } from '../../src/log.js';
import { SCOPES } from '../../src/schema/scope.js';
import { insertApp } from '../../src/store/access/app.js';
import { insertOrganization } from '../../src/store/access/organization.js';
import { type FakePayment, sellPlan, startFakePayment } from './fake-payment.js';
import type { CardBehavior, Invoice, ProviderEvent, Subscription } from './fake-payment-checkout.js';
import { type Network, startNetwork, type TestResponse } from './network.js';

/** Stored subscription of an organization. */
export interface SubscriptionRow {
  readonly organization_id: string;
  readonly plan_id: string | null;
  readonly status: string | null;
  readonly trial_end: Date | null;
  readonly period_start: Date;
  readonly period_end: Date;
  readonly used_units: number;
  readonly paid_cents: number;
  readonly credit_cents: number;
  readonly next_plan_id: string | null;
  readonly provider: string;
  readonly customer_id: string | null;
  readonly provider_subscription_id: string | null;
  readonly product_id: string | null;
  readonly payment_brand: string | null;
  readonly payment_last4: string | null;
  readonly provider_event_at: Date | null;
}

/**
 * A whole service that takes payments from a provider on loopback, with one clock that tests move. All methods refer to
 * the organization that was created last.
 */
export interface BillingNetwork {
  readonly network: Network;
  readonly fake: FakePayment;
  /** Lines of the log. */
  readonly lines: readonly string[];
  /** Creates another organization with its own key, to which all methods refer from now on. */
  newOrganization(): Promise<void>;
  /** The provider's subscription of the organization. @throws Error unless there is exactly one */
  subscription(): Subscription;
  /** Unix milliseconds. */
  now(): number;
  /** Moves the clock. */
  pass(ms: number): void;
  /** Headers with the organization's key. */
  headers(): Record<string, string>;
  upgrade(newPlan: string): Promise<TestResponse>;
  billing(): Promise<TestResponse['body']>;
  row(): Promise<SubscriptionRow>;
  /** Enters a card at the URL of a rejected upgrade. */
  enterCard(last4?: string, behavior?: CardBehavior): Promise<void>;
  /** Sends an event to the service. @returns the status of its response */
  deliver(event: ProviderEvent | undefined): Promise<number>;
  /** Sends all new events in order. */
  deliverNew(): Promise<void>;
  /** Moves the clock and runs the recovery. */
  recover(): Promise<readonly unknown[]>;
  /** US cents charged to cards. */
  paid(): readonly number[];
  /** Invoices of the provider, the oldest first. */
  invoices(): readonly Invoice[];
  stop(): Promise<void>;
}

const RECOVERY_MS = 61_000;

export const startBillingNetwork = async (environment: Record<string, string> = {}): Promise<BillingNetwork> => {
  let offset = 0;
  const now = () => Date.UTC(2026, 0, 15, 12) + offset;
  const fake = await startFakePayment(now);
  const plans = readPlans({ plansFile: undefined, defaultPlan: 'free' });
  for (const plan of plans.all.filter(({ priceCents }) => priceCents > 0)) sellPlan(fake, plan);
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => lines.push(line) });
  const fakeUrl = new URL(fake.url);
  const network = await startNetwork(
    {
      CASTELLAN_DEFAULT_PLAN: 'free',
      CASTELLAN_PAYMENT_PROVIDER: 'stripe',
      CASTELLAN_STRIPE_SECRET_KEY: fake.secretKey,
      CASTELLAN_STRIPE_WEBHOOK_SECRET: fake.webhookSecret,
      ...environment,
    },
    log,
    { clock: now, stripeAddress: { host: fakeUrl.hostname, port: fakeUrl.port, protocol: 'http' } },
  );
  let delivered = 0;
  let organizationId = '';
  let headers: Record<string, string> = {};
  const { db } = network.app.core;
  const customersOf = () =>
    [...fake.state.pages.customers.values()].filter(({ metadata }) => metadata.organization_id === organizationId);
  const isOurs = ({ customer }: { readonly customer: string }) => customersOf().some(({ id }) => id === customer);
  const billingNetwork: BillingNetwork = {
    network,
    fake,
    lines,
    now,
    pass: (ms) => {
      offset += ms;
    },
    headers: () => headers,
    upgrade: (newPlan) => network.send('POST', '/portal/subscription/upgrade', { newPlan }, headers),
    billing: async () => (await network.get('/portal/organization/billing', headers)).body,
    row: async () => {
      const text = 'select * from subscription where organization_id = $1';
      const [row] = await network.sql<SubscriptionRow>(text, [organizationId]);
      if (row === undefined) throw new Error('the organization has no subscription');
      return row;
    },
    enterCard: async (last4 = '4242', behavior = 'fine') => {
      const { status, body } = await billingNetwork.upgrade('starter');
      if (status !== 402) throw new Error(`an upgrade without a card answers ${status}`);
      const page = /https:\S+[^\s.,]/.exec(body.message)?.[0] ?? '';
      fake.state.completeSession(page, 'visa', last4, behavior);
      await billingNetwork.deliverNew();
    },
    deliver: (event) => {
      if (event === undefined) throw new Error('there is no such event');
      return fake.deliver(`${network.url}/portal/webhooks/payment`, event);
    },
    deliverNew: async () => {
      const events = fake.events().slice(delivered);
      delivered += events.length;
      for (const event of events) {
        const status = await billingNetwork.deliver(event);
        if (status !== 200) throw new Error(`${event.type} answers ${status}`);
      }
    },
    recover: async () => {
      offset += RECOVERY_MS;
      const failures: unknown[] = [];
      await recoverChanges(network.app.services.money, {
        now: new Date(now()),
        failed: (error) => failures.push(error),
      });
      return failures;
    },
    paid: () => fake.state.pages.payments.filter(isOurs).map(({ cents }) => cents),
    invoices: () => [...fake.state.pages.invoices.values()].filter(isOurs),
    subscription: () => {
      const [subscription, ...more] = [...fake.state.pages.subscriptions.values()].filter(isOurs);
      if (subscription === undefined || more.length > 0) throw new Error('there is not one subscription');
      return subscription;
    },
    newOrganization: async () => {
      fake.decide = () => 'fine';
      fake.hold = () => undefined;
      const organization = await insertOrganization(db, { name: 'Payer', createdAt: new Date(now()) });
      if (organization === undefined)
        throw new Error('the organization has an id of its own and is there nevertheless');
      organizationId = organization.id;
      const app = await insertApp(db, { organizationId, name: 'app' });
      if (app === undefined) throw new Error('the app has an id of its own and is there nevertheless');
      const { secret } = await createKey(db, { name: 'key', appId: app.id, scopes: SCOPES, now: new Date(now()) });
      headers = { 'x-api-key': secret };
    },
    stop: async () => {
      await network.stop();
      await fake.stop();
    },
  };
  await billingNetwork.newOrganization();
  return billingNetwork;
};
