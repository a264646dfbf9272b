import { createKey } from '../../src/access/key.js';
import { SCOPES } from '../../src/access/scope.js';
import { readPlans } from '../../src/billing/plan/plan.js';
import { recoverChanges } from '../../src/billing/recovery.js';
import { createLog } from '../../src/log.js';
import { insertApp } from '../../src/store/app.js';
import { insertOrganization } from '../../src/store/organization.js';
import { type FakePayment, sellPlan, startFakePayment } from './fake-payment.js';
import { type Answer, type Network, startNetwork } from './network.js';
import type { CardMood, Invoice, ProviderEvent, Subscription } from './fake-payment-checkout.js';

/** What stands in the database of an organization. */
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
 * A whole service that takes payments from a provider on loopback, in one time that tests move. All of it is of one
 * organization, the last that was made.
 */
export interface PayingNetwork {
  readonly network: Network;
  readonly fake: FakePayment;
  /** Lines of the log. */
  readonly lines: readonly string[];
  /** Makes another organization, with a key of its own, that everything is of from now on. */
  newOrganization(): Promise<void>;
  /** The provider's subscription of the organization. @throws Error when there is not just one */
  subscription(): Subscription;
  /** Unix milliseconds. */
  now(): number;
  /** Lets time pass. */
  pass(ms: number): void;
  /** With the organization's key. */
  headers(): Record<string, string>;
  upgrade(newPlan: string): Promise<Answer>;
  billing(): Promise<Answer['body']>;
  row(): Promise<SubscriptionRow>;
  /** Enters a card the way that a refused upgrade tells. */
  enterCard(last4?: string, mood?: CardMood): Promise<void>;
  /** Sends an event to the service. @returns the status of its answer */
  deliver(event: ProviderEvent | undefined): Promise<number>;
  /** Sends all events that were not sent before, in their order. */
  deliverNew(): Promise<void>;
  /** What recovery does after a while. */
  recover(): Promise<readonly unknown[]>;
  /** US cents that were taken from cards. */
  paid(): readonly number[];
  /** Invoices of the provider, the oldest first. */
  invoices(): readonly Invoice[];
  stop(): Promise<void>;
}

const RECOVERY_MS = 61_000;

export const startPaying = async (environment: Record<string, string> = {}): Promise<PayingNetwork> => {
  let offset = 0;
  const now = () => Date.UTC(2026, 0, 15, 12) + offset;
  const fake = await startFakePayment(now);
  const plans = readPlans({ plansFile: undefined, defaultPlan: 'free' });
  for (const plan of plans.all.filter(({ priceCents }) => priceCents > 0)) sellPlan(fake, plan);
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => lines.push(line) });
  const network = await startNetwork(
    {
      DEFAULT_PLAN: 'free',
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: fake.secretKey,
      STRIPE_WEBHOOK_SECRET: fake.webhookSecret,
      STRIPE_API_URL: fake.url,
      ...environment,
    },
    log,
    { clock: now },
  );
  let delivered = 0;
  let organizationId = '';
  let headers: Record<string, string> = {};
  const { db } = network.app.core;
  const customersOf = () =>
    [...fake.book.pages.customers.values()].filter(({ metadata }) => metadata.organization_id === organizationId);
  const isOurs = ({ customer }: { readonly customer: string }) => customersOf().some(({ id }) => id === customer);
  const paying: PayingNetwork = {
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
    enterCard: async (last4 = '4242', mood = 'fine') => {
      const { status, body } = await paying.upgrade('starter');
      if (status !== 402) throw new Error(`an upgrade without a card answers ${status}`);
      const page = /https:\S+[^\s.,]/.exec(body.message)?.[0] ?? '';
      fake.book.completeSession(page, 'visa', last4, mood);
      await paying.deliverNew();
    },
    deliver: (event) => {
      if (event === undefined) throw new Error('there is no such event');
      return fake.deliver(`${network.url}/portal/webhooks/payment`, event);
    },
    deliverNew: async () => {
      const events = fake.events().slice(delivered);
      delivered += events.length;
      for (const event of events) {
        const status = await paying.deliver(event);
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
    paid: () => fake.book.pages.payments.filter(isOurs).map(({ cents }) => cents),
    invoices: () => [...fake.book.pages.invoices.values()].filter(isOurs),
    subscription: () => {
      const [subscription, ...more] = [...fake.book.pages.subscriptions.values()].filter(isOurs);
      if (subscription === undefined || more.length > 0) throw new Error('there is not one subscription');
      return subscription;
    },
    newOrganization: async () => {
      fake.judge = () => 'fine';
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
  await paying.newOrganization();
  return paying;
};
