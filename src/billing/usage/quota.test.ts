import { expect, test } from 'vitest';
import { quotaExceeded } from './quota.js';

test('the error never reports more usage than the plan has', () => {
  const usage = { used: 1_000_004, limit: 1_000_000, resetsAt: new Date('2026-12-01T10:00:00Z') };
  const { kind, code, message } = quotaExceeded(usage, 4);
  expect([kind, code]).toEqual(['payment_required', 'PaymentRequired']);
  expect(message).toContain('1,000,000 of 1,000,000 compute units');
  expect(message).toContain('2026-12-01');
});
