import { resolve } from 'node:path';
import type { ConfigReader } from './reader.js';
import { Secret } from './secret.js';

const QUOTA_MODES = ['enforce', 'observe', 'off'] as const;
/** enforce: calls over the plan's units are refused; observe: use is counted alone; off: not even that. */
export type QuotaMode = (typeof QUOTA_MODES)[number];

/** Who takes the money: our own books alone, or Stripe. */
export type PaymentConfig =
  | {
      readonly provider: 'ledger';
      /** Whether invoices count as paid by bank at once, or are open until an operator says that they were paid. */
      readonly settlement: 'paid' | 'open';
    }
  | {
      readonly provider: 'stripe';
      readonly secretKey: Secret;
      /** What Stripe signs its webhooks with. */
      readonly webhookSecret: Secret;
      /** Without a trailing slash; undefined: Stripe's own. Tests alone set it. */
      readonly apiUrl: string | undefined;
    };

/** Where requests are counted for the rate limit. */
export type RateLimitStore =
  | { readonly kind: 'memory' }
  | { readonly kind: 'postgres' }
  | { readonly kind: 'redis'; readonly url: Secret };

export interface BillingConfig {
  readonly quotaMode: QuotaMode;
  /** Absolute; undefined: the file that comes with the package. */
  readonly plansFile: string | undefined;
  /** Id of the plan of organizations that subscribe to none. */
  readonly defaultPlan: string;
  readonly payment: PaymentConfig;
}

export interface RateLimitConfig {
  /** Requests for each key and operation, whatever the plan; 0 limits nothing. Undefined: what the plan says. */
  readonly perMinute: number | undefined;
  readonly store: RateLimitStore;
}

function readSecret(reader: ConfigReader, variable: string, form: RegExp, what: string): Secret {
  const text = reader.text(variable);
  // No message repeats the value.
  if (text === undefined) reader.problem(variable, `is required with PAYMENT_PROVIDER=stripe: ${what}.`);
  else if (!form.test(text)) reader.problem(variable, `does not look like ${what}.`);
  return new Secret(text ?? '');
}

function readApiUrl(reader: ConfigReader): string | undefined {
  const text = reader.text('STRIPE_API_URL');
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash) {
    return url.href.replace(/\/+$/, '');
  }
  const problem = `"${text}" is no http or https address without user, query and fragment. Leave it out to use Stripe's own.`;
  reader.problem('STRIPE_API_URL', problem);
  return undefined;
}

function readPayment(reader: ConfigReader): PaymentConfig {
  const provider = reader.oneOf('PAYMENT_PROVIDER', ['ledger', 'stripe'], 'ledger');
  if (provider === 'ledger') {
    if (reader.text('STRIPE_SECRET_KEY') !== undefined && reader.text('PAYMENT_PROVIDER') === undefined) {
      const problem =
        'is not set, but STRIPE_SECRET_KEY is: say stripe to take payments with it, or leave the key out.';
      reader.problem('PAYMENT_PROVIDER', problem);
    }
    return { provider, settlement: reader.oneOf('LEDGER_SETTLEMENT', ['paid', 'open'], 'paid') };
  }
  const from = 'from the dashboard of Stripe';
  return {
    provider,
    secretKey: readSecret(reader, 'STRIPE_SECRET_KEY', /^[sr]k_[\x21-\x7e]+$/, `a secret key (sk_...) ${from}`),
    webhookSecret: readSecret(
      reader,
      'STRIPE_WEBHOOK_SECRET',
      /^whsec_[\x21-\x7e]+$/,
      `the signing secret (whsec_...) of the webhook ${from}`,
    ),
    apiUrl: readApiUrl(reader),
  };
}

/**
 * Reads QUOTA_MODE, PLANS_FILE, DEFAULT_PLAN, PAYMENT_PROVIDER, LEDGER_SETTLEMENT and STRIPE_*; what is in the file is
 * looked at when the service starts. Development counts nothing and limits nobody unless told to.
 */
export function readBillingConfig(reader: ConfigReader, profile: 'dev' | 'serve'): BillingConfig {
  const plansFile = reader.text('PLANS_FILE');
  return {
    quotaMode: reader.oneOf('QUOTA_MODE', QUOTA_MODES, profile === 'dev' ? 'off' : 'observe'),
    plansFile: plansFile === undefined ? undefined : resolve(plansFile),
    defaultPlan: reader.text('DEFAULT_PLAN') ?? (profile === 'dev' ? 'enterprise' : 'free'),
    payment: readPayment(reader),
  };
}

function readStore(reader: ConfigReader, hasServer: boolean): RateLimitStore {
  const url = reader.text('REDIS_URL');
  const usual = url !== undefined ? 'redis' : hasServer ? 'postgres' : 'memory';
  const kind = reader.oneOf('RATE_LIMIT_STORE', ['memory', 'postgres', 'redis'], usual);
  if (kind === 'postgres' && !hasServer) {
    const problem = 'postgres needs DATABASE_URL: the embedded database belongs to one process, so use memory.';
    reader.problem('RATE_LIMIT_STORE', problem);
  }
  if (kind !== 'redis') return { kind };
  // The value may hold a password, so no message repeats it.
  if (url === undefined)
    reader.problem('REDIS_URL', 'is required with RATE_LIMIT_STORE=redis, like redis://host:6379.');
  else if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) {
    reader.problem('REDIS_URL', 'is not of the form redis://user:password@host:6379 (rediss:// with TLS).');
  }
  return { kind, url: new Secret(url ?? '') };
}

/**
 * Reads RATE_LIMIT_PER_MINUTE, RATE_LIMIT_STORE and REDIS_URL.
 * @param hasServer whether the database is one that several processes can share
 */
export function readRateLimitConfig(reader: ConfigReader, hasServer: boolean): RateLimitConfig {
  const isGiven = reader.text('RATE_LIMIT_PER_MINUTE') !== undefined;
  return {
    perMinute: isGiven ? reader.integer('RATE_LIMIT_PER_MINUTE', 600, 0, 1_000_000) : undefined,
    store: readStore(reader, hasServer),
  };
}
