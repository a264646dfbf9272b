import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { readBillingConfig, readRateLimitConfig } from './billing.js';
import type { Environment } from './env.js';
import { ConfigReader } from './reader.js';

const read = (environment: Environment, profile: 'dev' | 'serve' = 'serve', hasServer = false) => {
  const reader = new ConfigReader(environment);
  const billing = readBillingConfig(reader, profile);
  const rateLimit = readRateLimitConfig(reader, hasServer);
  return { ...billing, rateLimit, problems: reader.problems };
};
const stripe = {
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_topsecret',
  STRIPE_WEBHOOK_SECRET: 'whsec_topsecret',
};

describe('settings of billing', () => {
  it('observe in production and count nothing in development unless told to', () => {
    expect(read({})).toMatchObject({ quotaMode: 'observe', defaultPlan: 'free', plansFile: undefined, problems: [] });
    expect(read({}, 'dev')).toMatchObject({ quotaMode: 'off', defaultPlan: 'enterprise', problems: [] });
    const told = { QUOTA_MODE: 'Enforce', DEFAULT_PLAN: 'mine', PLANS_FILE: 'my/plans.json' };
    expect(read(told, 'dev')).toMatchObject({
      quotaMode: 'enforce',
      defaultPlan: 'mine',
      plansFile: resolve('my/plans.json'),
    });
  });

  it('keep books alone unless a payment provider is named, with its secrets', () => {
    expect(read({ LEDGER_SETTLEMENT: 'open' }).payment).toEqual({ provider: 'ledger', settlement: 'open' });
    const config = read({ ...stripe, STRIPE_API_URL: 'http://127.0.0.1:4010/' });
    expect(config).toMatchObject({ payment: { provider: 'stripe', apiUrl: 'http://127.0.0.1:4010' }, problems: [] });
    expect(config.payment.provider === 'stripe' && config.payment.secretKey.reveal()).toBe('sk_test_topsecret');
    expect(inspect(config, { depth: 9, showHidden: true })).not.toContain('topsecret');
  });

  it('count requests where all processes see them', () => {
    expect(read({}).rateLimit).toEqual({ perMinute: undefined, store: { kind: 'memory' } });
    expect(read({}, 'serve', true).rateLimit.store).toEqual({ kind: 'postgres' });
    expect(read({ REDIS_URL: 'redis://me:topsecret@cache:6379' }).rateLimit.store).toMatchObject({ kind: 'redis' });
    expect(read({ RATE_LIMIT_STORE: 'memory', REDIS_URL: 'redis://cache' }).rateLimit.store).toEqual({
      kind: 'memory',
    });
    expect(read({ RATE_LIMIT_PER_MINUTE: '0' }).rateLimit.perMinute).toBe(0);
  });

  test.each<[Environment, string, RegExp]>([
    [{ QUOTA_MODE: 'strict' }, 'QUOTA_MODE', /none of enforce, observe, off/],
    [{ PAYMENT_PROVIDER: 'cash' }, 'PAYMENT_PROVIDER', /none of ledger, stripe/],
    [{ STRIPE_SECRET_KEY: 'sk_test_topsecret' }, 'PAYMENT_PROVIDER', /say stripe/],
    [{ LEDGER_SETTLEMENT: 'never' }, 'LEDGER_SETTLEMENT', /none of paid, open/],
    [{ ...stripe, STRIPE_SECRET_KEY: 'pk_topsecret' }, 'STRIPE_SECRET_KEY', /secret key \(sk_/],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: '' }, 'STRIPE_WEBHOOK_SECRET', /is required with PAYMENT_PROVIDER=stripe/],
    [{ ...stripe, STRIPE_API_URL: 'ftp://x' }, 'STRIPE_API_URL', /no http or https address/],
    [{ RATE_LIMIT_STORE: 'postgres' }, 'RATE_LIMIT_STORE', /needs DATABASE_URL/],
    [{ RATE_LIMIT_STORE: 'redis' }, 'REDIS_URL', /is required with RATE_LIMIT_STORE=redis/],
    [{ REDIS_URL: 'http://topsecret' }, 'REDIS_URL', /redis:\/\/user/],
    [{ RATE_LIMIT_PER_MINUTE: 'many' }, 'RATE_LIMIT_PER_MINUTE', /whole number/],
  ])('%j is a problem of %s', (environment, variable, problem) => {
    const { problems } = read(environment);
    expect(problems).toEqual([{ variable, problem: expect.stringMatching(problem) }]);
    expect(JSON.stringify(problems)).not.toContain('topsecret');
  });
});
