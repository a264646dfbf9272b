import type { ConfigReader } from './reader.js';
import { Secret } from './secret.js';

/** Who collects payments. */
export type PaymentConfig =
  | {
      readonly provider: 'ledger';
      /** Whether invoices count as paid at once, or are open until an operator marks them as paid. */
      readonly settlement: 'paid' | 'open';
    }
  | {
      readonly provider: 'stripe';
      readonly secretKey: Secret;
      /** Key of the signatures of Stripe's webhook calls. */
      readonly webhookSecret: Secret;
    };

/** Where requests are counted for rate limits. */
export type RateLimitStore =
  | { readonly kind: 'memory' }
  | { readonly kind: 'postgres' }
  | { readonly kind: 'redis'; readonly url: Secret };

const readStripeSecret = (
  reader: ConfigReader,
  variable: 'CASTELLAN_STRIPE_SECRET_KEY' | 'CASTELLAN_STRIPE_WEBHOOK_SECRET',
  what: string,
): Secret => {
  if (reader.text(variable) === undefined) {
    const problem = `is required with CASTELLAN_PAYMENT_PROVIDER=stripe: ${what} from the dashboard of Stripe.`;
    reader.problem(variable, problem);
  }
  return reader.get(variable) ?? new Secret('');
};

const readPayment = (reader: ConfigReader): PaymentConfig => {
  const provider = reader.get('CASTELLAN_PAYMENT_PROVIDER');
  if (provider !== 'stripe') {
    if (reader.text('CASTELLAN_STRIPE_SECRET_KEY') && !reader.text('CASTELLAN_PAYMENT_PROVIDER')) {
      const problem =
        'is not set, but CASTELLAN_STRIPE_SECRET_KEY is: say stripe to take payments with it, or leave the key out.';
      reader.problem('CASTELLAN_PAYMENT_PROVIDER', problem);
    }
    return { provider: 'ledger', settlement: reader.get('CASTELLAN_LEDGER_SETTLEMENT') };
  }
  return {
    provider,
    secretKey: readStripeSecret(reader, 'CASTELLAN_STRIPE_SECRET_KEY', 'a secret key (sk_...)'),
    webhookSecret: readStripeSecret(
      reader,
      'CASTELLAN_STRIPE_WEBHOOK_SECRET',
      'the signing secret (whsec_...) of the webhook',
    ),
  };
};

/** The plans file itself is read when the service starts. */
export const readBillingConfig = (reader: ConfigReader) => ({
  quotaMode: reader.get('CASTELLAN_QUOTA_MODE'),
  /** Absolute; undefined: the file that comes with the package. */
  plansFile: reader.get('CASTELLAN_PLANS_FILE'),
  /** Id of the plan of organizations without a subscription. */
  defaultPlan: reader.get('CASTELLAN_DEFAULT_PLAN'),
  payment: readPayment(reader),
});
export type BillingConfig = ReturnType<typeof readBillingConfig>;

const readStore = (reader: ConfigReader, hasServer: boolean): RateLimitStore => {
  const hasRedis = reader.text('REDIS_URL') !== undefined;
  const kind = reader.get('CASTELLAN_RATE_LIMIT_STORE') ?? (hasRedis ? 'redis' : hasServer ? 'postgres' : 'memory');
  if (kind === 'postgres' && !hasServer) {
    const problem = 'postgres needs DATABASE_URL: the embedded database belongs to one process, so use memory.';
    reader.problem('CASTELLAN_RATE_LIMIT_STORE', problem);
  }
  if (kind !== 'redis') return { kind };
  if (!hasRedis) {
    reader.problem('REDIS_URL', 'is required with CASTELLAN_RATE_LIMIT_STORE=redis, like redis://host:6379.');
  }
  return { kind, url: reader.get('REDIS_URL') ?? new Secret('') };
};

/** @param hasServer whether the database is a server, which several processes can share */
export const readRateLimitConfig = (reader: ConfigReader, hasServer: boolean) => ({
  /** Requests per minute for each key and operation; 0: no limit; undefined: the limit of the plan. */
  perMinute: reader.get('CASTELLAN_RATE_LIMIT_PER_MINUTE'),
  store: readStore(reader, hasServer),
});
