import Stripe from 'stripe';
import type { Secret } from '../../config/secret.js';
import { AppError } from '../../error.js';
import { insertPaymentEvent, isPaymentEventKnown } from '../../store/billing/payment-event.js';
import {
  selectOrganizationByCustomer,
  updateFirstCustomer,
  updateProviderVersion,
} from '../../store/billing/provider-account.js';
import { selectSubscription, updateSubscription } from '../../store/billing/subscription.js';
import { isUuid } from '../../uuid.js';
import type { PaymentEvents } from '../plan/payment-event.js';
import { lockSubscription } from '../plan/subscription-lock.js';
import { CUSTOMER_EXPAND, methodOfRecord } from './customer.js';
import { redactedCause } from './failure.js';
import { subscriptionIdOf } from './invoice.js';
import { idOf } from './price.js';
import { customerIdOf } from './subscription.js';
import { type SyncDependencies, syncSubscription } from './sync.js';

/** Maximum age of a signature, against replayed events. */
const TOLERANCE_SECONDS = 300;

/** Ids in an event. Its other content is ignored and fetched from Stripe. */
interface Subject {
  readonly customerId: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly invoiceId?: string | undefined;
  readonly organizationId?: string | undefined;
}

/** Members that events of other API versions may lack, although Stripe's types have them. */
type Loose<Known, Names extends keyof Known> = Omit<Known, Names> & { readonly [Name in Names]?: Known[Name] | null };

const subjectOf = (event: Stripe.Event): Subject | undefined => {
  const { object } = event.data as { readonly object: Stripe.Event.Data.Object & { readonly object?: string } };
  switch (object.object) {
    case 'subscription': {
      const { customer, id, metadata } = object as Loose<Stripe.Subscription, 'customer' | 'metadata'>;
      return { customerId: customerIdOf(customer), subscriptionId: id, organizationId: metadata?.organization_id };
    }
    case 'invoice': {
      const invoice = object as Stripe.Invoice;
      const subscriptionId = subscriptionIdOf(invoice);
      return { customerId: customerIdOf(invoice.customer), subscriptionId, invoiceId: invoice.id };
    }
    case 'customer': {
      const { id, metadata } = object as Loose<Stripe.Customer, 'metadata'>;
      return { customerId: id, organizationId: metadata?.organization_id };
    }
    case 'payment_method':
    case 'checkout.session':
      return { customerId: customerIdOf((object as Stripe.PaymentMethod).customer) };
    default:
      return undefined;
  }
};

/** Finds a customer's organization. A customer that an operator created has the organization's id in its metadata. */
const organizationOf = async (
  { db }: SyncDependencies,
  { customerId, organizationId }: Subject,
): Promise<string | undefined> => {
  if (customerId === undefined) return undefined;
  const known = await selectOrganizationByCustomer(db, customerId);
  if (known !== undefined || organizationId === undefined || !isUuid(organizationId)) return known;
  return (await updateFirstCustomer(db, organizationId, customerId)) ? organizationId : undefined;
};

/** Makes a card that was entered on Stripe's page the default payment method. */
const useNewCard = async ({ stripe }: SyncDependencies, sessionId: string): Promise<void> => {
  const { setup_intent: intent, customer } = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ['setup_intent'],
  });
  const method = typeof intent === 'object' ? intent?.payment_method : undefined;
  const customerId = customerIdOf(customer);
  if (method === undefined || method === null || customerId === undefined) return;
  await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: idOf(method) } });
};

/** Stores the payment method of an organization without a subscription. */
const recordCustomer = async (
  { db, stripe }: SyncDependencies,
  organizationId: string,
  customerId: string,
  eventAt: Date,
): Promise<void> => {
  const customer = await stripe.customers.retrieve(customerId, { expand: CUSTOMER_EXPAND });
  const method = customer.deleted ? undefined : methodOfRecord(customer, undefined);
  await db.transaction(async (session) => {
    const row = await lockSubscription(session, organizationId);
    if (row?.customerId !== customerId || row.providerSubscriptionId !== null) return;
    const [paymentBrand, paymentLast4] = [method?.brand ?? null, method?.last4 ?? null];
    await updateSubscription(session, organizationId, { paymentBrand, paymentLast4 });
    await updateProviderVersion(session, organizationId, eventAt);
  });
};

const applyEvent = async (deps: SyncDependencies, event: Stripe.Event): Promise<string | null> => {
  const subject = subjectOf(event);
  if (subject === undefined) return null;
  const organizationId = await organizationOf(deps, subject);
  if (organizationId === undefined) {
    const { id, type } = event;
    deps.warn(
      { event: id, type, customer: subject.customerId },
      'an event of the payment provider is of no organization',
    );
    return null;
  }
  const eventAt = new Date(event.created * 1000);
  if (event.type === 'checkout.session.completed') await useNewCard(deps, event.data.object.id);
  const row = await selectSubscription(deps.db, organizationId);
  const subscriptionId = subject.subscriptionId ?? row?.providerSubscriptionId ?? undefined;
  if (subscriptionId !== undefined) {
    await syncSubscription(deps, { organizationId, subscriptionId, invoiceId: subject.invoiceId, eventAt });
  } else if (subject.customerId !== undefined) {
    await recordCustomer(deps, organizationId, subject.customerId, eventAt);
  }
  return organizationId;
};

const isEvent = (value: unknown): value is Stripe.Event => {
  const { id, type, created, data } = (value ?? {}) as Partial<Stripe.Event>;
  const hasNames = typeof id === 'string' && typeof type === 'string' && Number.isSafeInteger(created);
  return hasNames && typeof data?.object === 'object' && data.object !== null;
};

/** @returns the receiver of signed events; each event is applied once */
export const createStripeEvents = (deps: SyncDependencies, webhookSecret: Secret): PaymentEvents => {
  const read = (body: string, signature: string | undefined): Stripe.Event => {
    try {
      const receivedAt = deps.clock();
      const secret = webhookSecret.reveal();
      const event: unknown = Stripe.webhooks.constructEvent(
        body,
        signature ?? '',
        secret,
        TOLERANCE_SECONDS,
        undefined,
        receivedAt,
      );
      if (isEvent(event)) return event;
      throw new TypeError('what was signed is no event');
    } catch {
      const message = 'The signature is not of this body and of the last five minutes, or the body is no event.';
      throw new AppError('invalid', 'InvalidSignature', message, { property: 'stripe-signature' });
    }
  };
  return {
    take: async (body, signature) => {
      const event = read(body, signature);
      const { id, type } = event;
      if (await isPaymentEventKnown(deps.db, id)) return;
      try {
        const organizationId = await applyEvent(deps, event);
        const occurredAt = new Date(event.created * 1000);
        const receivedAt = new Date(deps.clock());
        await insertPaymentEvent(deps.db, { id, type, organizationId, occurredAt, receivedAt });
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeError)) throw error;
        const message = 'The payment provider does not answer at the moment: send the event again later.';
        throw new AppError('unavailable', 'ServiceUnavailable', message, { cause: redactedCause(error) });
      }
    },
  };
};
