import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestChain } from './support/chain.js';
import { fidOf, registerAccount, startRegistryChain } from './support/registry.js';

let chain: TestChain;
beforeAll(async () => {
  chain = await startRegistryChain();
});
afterAll(() => chain.stop());

test('registers', async () => {
  const fid = await registerAccount(chain, chain.account(20));
  expect(fid).toBeGreaterThan(0n);
  expect(await fidOf(chain, chain.account(20).address)).toBe(fid);
});
