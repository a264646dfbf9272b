import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { readBillingConfig, readRateLimitConfig } from './billing.js';
import type { Environment } from './env.js';
import { ConfigReader } from './reader.js';

const read = (environment: Environment, profile: 'dev' | 'serve' = 'serve', hasServer = false) => {
  const reader = new ConfigReader(environment, profile);
  const billing = readBillingConfig(reader);
  const rateLimit = readRateLimitConfig(reader, hasServer);
  return { ...billing, rateLimit, problems: reader.problems };
};
const stripe = {
  CASTELLAN_PAYMENT_PROVIDER: 'stripe',
  CASTELLAN_STRIPE_SECRET_KEY: 'sk_test_topsecret',
  CASTELLAN_STRIPE_WEBHOOK_SECRET: 'whsec_topsecret',
};

describe('settings of billing', () => {
  it('default to observing in production and to no metering in development', () => {
    expect(read({})).toMatchObject({ quotaMode: 'observe', defaultPlan: 'free', plansFile: undefined, problems: [] });
    expect(read({}, 'dev')).toMatchObject({ quotaMode: 'observe', defaultPlan: 'enterprise', problems: [] });
    const changed = {
      CASTELLAN_QUOTA_MODE: 'Enforce',
      CASTELLAN_DEFAULT_PLAN: 'mine',
      CASTELLAN_PLANS_FILE: 'my/plans.json',
    };
    expect(read(changed, 'dev')).toMatchObject({
      quotaMode: 'enforce',
      defaultPlan: 'mine',
      plansFile: resolve('my/plans.json'),
    });
  });

  it('use the ledger unless a payment provider is named, with its secrets', () => {
    expect(read({ CASTELLAN_LEDGER_SETTLEMENT: 'open' }).payment).toEqual({ provider: 'ledger', settlement: 'open' });
    const config = read({ ...stripe });
    expect(config).toMatchObject({ payment: { provider: 'stripe' }, problems: [] });
    expect(config.payment.provider === 'stripe' && config.payment.secretKey.reveal()).toBe('sk_test_topsecret');
    expect(inspect(config, { depth: 9, showHidden: true })).not.toContain('topsecret');
  });

  it('default to a store of request counts that all processes share', () => {
    expect(read({}).rateLimit).toEqual({ perMinute: undefined, store: { kind: 'memory' } });
    expect(read({}, 'serve', true).rateLimit.store).toEqual({ kind: 'postgres' });
    expect(read({ REDIS_URL: 'redis://me:topsecret@cache:6379' }).rateLimit.store).toMatchObject({ kind: 'redis' });
    expect(read({ CASTELLAN_RATE_LIMIT_STORE: 'memory', REDIS_URL: 'redis://cache' }).rateLimit.store).toEqual({
      kind: 'memory',
    });
    expect(read({ CASTELLAN_RATE_LIMIT_PER_MINUTE: '0' }).rateLimit.perMinute).toBe(0);
  });

  test.each<[Environment, string, RegExp]>([
    [{ CASTELLAN_QUOTA_MODE: 'strict' }, 'CASTELLAN_QUOTA_MODE', /none of enforce, observe, off/],
    [{ CASTELLAN_PAYMENT_PROVIDER: 'cash' }, 'CASTELLAN_PAYMENT_PROVIDER', /none of ledger, stripe/],
    [{ CASTELLAN_STRIPE_SECRET_KEY: 'sk_test_topsecret' }, 'CASTELLAN_PAYMENT_PROVIDER', /say stripe/],
    [{ CASTELLAN_LEDGER_SETTLEMENT: 'never' }, 'CASTELLAN_LEDGER_SETTLEMENT', /none of paid, open/],
    [{ ...stripe, CASTELLAN_STRIPE_SECRET_KEY: 'pk_topsecret' }, 'CASTELLAN_STRIPE_SECRET_KEY', /secret key \(sk_/],
    [
      { ...stripe, CASTELLAN_STRIPE_WEBHOOK_SECRET: '' },
      'CASTELLAN_STRIPE_WEBHOOK_SECRET',
      /is required with CASTELLAN_PAYMENT_PROVIDER=stripe/,
    ],
    [{ CASTELLAN_RATE_LIMIT_STORE: 'postgres' }, 'CASTELLAN_RATE_LIMIT_STORE', /needs DATABASE_URL/],
    [{ CASTELLAN_RATE_LIMIT_STORE: 'redis' }, 'REDIS_URL', /is required with CASTELLAN_RATE_LIMIT_STORE=redis/],
    [{ REDIS_URL: 'http://topsecret' }, 'REDIS_URL', /redis:\/\/user/],
    [{ CASTELLAN_RATE_LIMIT_PER_MINUTE: 'many' }, 'CASTELLAN_RATE_LIMIT_PER_MINUTE', /whole number/],
  ])('%j is a problem of %s', (environment, variable, problem) => {
    const { problems } = read(environment);
    expect(problems).toEqual([{ variable, problem: expect.stringMatching(problem) }]);
    expect(JSON.stringify(problems)).not.toContain('topsecret');
  });
});
