import type Stripe from 'stripe';
import type { PaymentMethod } from '../../error.js';
import type { ProviderChange } from '../provider.js';

/** Members that come along with a customer, so that one call tells how it pays. */
export const CUSTOMER_EXPAND = ['invoice_settings.default_payment_method'];

/** @returns what people may see of it: brand and last four digits, or its kind where it is no card. */
export const shownMethod = (method: Stripe.PaymentMethod): PaymentMethod => {
  const details = (method as unknown as Record<string, { readonly last4?: string | null } | undefined>)[method.type];
  return { brand: method.card?.brand ?? method.type, last4: details?.last4 ?? '' };
};

const isMethod = (value: string | Stripe.PaymentMethod | null | undefined): value is Stripe.PaymentMethod =>
  typeof value === 'object' && value !== null;

/** @returns the customer; undefined where it was deleted at the provider. */
const retrieveCustomer = async (stripe: Stripe, id: string): Promise<Stripe.Customer | undefined> => {
  const customer = await stripe.customers.retrieve(id, { expand: CUSTOMER_EXPAND });
  return customer.deleted ? undefined : customer;
};

/**
 * The organization as the provider's customer: made when the first payment is asked of it.
 * @param keep stores the name before anything is charged under it
 */
export const ensureCustomer = async (
  stripe: Stripe,
  change: ProviderChange,
  keep: (organizationId: string, customerId: string) => Promise<void>,
): Promise<Stripe.Customer> => {
  const known = change.customerId === null ? undefined : await retrieveCustomer(stripe, change.customerId);
  if (known !== undefined) return known;
  const made = await stripe.customers.create(
    {
      name: change.organizationName,
      ...(change.billingEmail !== null && { email: change.billingEmail }),
      metadata: { organization_id: change.organizationId },
    },
    { idempotencyKey: `${change.id}:customer` },
  );
  await keep(change.organizationId, made.id);
  return made;
};

/**
 * What the provider would charge: of the subscription, else of the customer; else the one that was added last, which
 * becomes the customer's.
 */
export const methodInUse = async (
  stripe: Stripe,
  customer: Stripe.Customer,
  subscription: Stripe.Subscription | undefined,
): Promise<Stripe.PaymentMethod | undefined> => {
  const own = subscription?.default_payment_method;
  if (isMethod(own)) return own;
  const usual = customer.invoice_settings.default_payment_method;
  if (isMethod(usual)) return usual;
  const { data } = await stripe.customers.listPaymentMethods(customer.id, { limit: 1 });
  const [newest] = data;
  if (newest === undefined) return undefined;
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: newest.id } });
  return newest;
};

/** @returns how a customer pays, without asking the provider again; undefined: not at all. */
export const methodOfRecord = (
  customer: Stripe.Customer | undefined,
  subscription: Stripe.Subscription | undefined,
): PaymentMethod | undefined => {
  const method = subscription?.default_payment_method ?? customer?.invoice_settings.default_payment_method;
  return isMethod(method) ? shownMethod(method) : undefined;
};

/**
 * A page of the provider where a card is entered and confirmed with its bank; it ends after a day.
 * @param returnUrl where the page leads when that is done
 * @returns its address; undefined where the provider does not make one now
 */
export const cardPage = async (stripe: Stripe, customerId: string, returnUrl: string): Promise<string | undefined> => {
  try {
    const session = await stripe.checkout.sessions.create({
      mode: 'setup',
      customer: customerId,
      currency: 'usd',
      allowed_payment_method_types: ['card'],
      success_url: returnUrl,
    });
    return session.url ?? undefined;
  } catch {
    // It only helps to mend a refusal, which is told without it.
    return undefined;
  }
};
