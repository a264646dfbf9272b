import type Stripe from 'stripe';
import type { PaymentMethod } from '../../error.js';
import type { ProviderChange } from '../plan/provider.js';

/** Expanded members of a customer: its payment method. */
export const CUSTOMER_EXPAND = ['invoice_settings.default_payment_method'];

/** @returns brand and last four digits; the type of the method where it is no card */
export const paymentMethodOf = (method: Stripe.PaymentMethod): PaymentMethod => {
  const details = (method as unknown as Record<string, { readonly last4?: string | null } | undefined>)[method.type];
  return { brand: method.card?.brand ?? method.type, last4: details?.last4 ?? '' };
};

const isMethod = (value: string | Stripe.PaymentMethod | null | undefined): value is Stripe.PaymentMethod =>
  typeof value === 'object' && value !== null;

/** @returns undefined for a customer that was deleted at Stripe */
const retrieveCustomer = async (stripe: Stripe, id: string): Promise<Stripe.Customer | undefined> => {
  const customer = await stripe.customers.retrieve(id, { expand: CUSTOMER_EXPAND });
  return customer.deleted ? undefined : customer;
};

/**
 * Creates the organization's customer before its first payment.
 * @param store stores the customer's id before the first charge
 */
export const ensureCustomer = async (
  stripe: Stripe,
  change: ProviderChange,
  store: (organizationId: string, customerId: string) => Promise<void>,
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
  await store(change.organizationId, made.id);
  return made;
};

/**
 * @returns the payment method that Stripe charges: that of the subscription, else that of the customer, else the one
 * added last, which becomes the customer's default
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

/** @returns the payment method from already fetched records; undefined: none */
export const methodOfRecord = (
  customer: Stripe.Customer | undefined,
  subscription: Stripe.Subscription | undefined,
): PaymentMethod | undefined => {
  const method = subscription?.default_payment_method ?? customer?.invoice_settings.default_payment_method;
  return isMethod(method) ? paymentMethodOf(method) : undefined;
};

/**
 * Creates a Stripe page to enter a card and confirm it with the bank; it expires after a day.
 * @param returnUrl to which the page returns the customer
 * @returns its URL; undefined when Stripe fails to create it
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
    // The page only helps with a declined payment, which is reported without it, too.
    return undefined;
  }
};
