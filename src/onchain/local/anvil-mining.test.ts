import { createTestClient, createWalletClient, http, parseGwei, publicActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { expect, onTestFinished, test } from 'vitest';
import { startRpcProxy } from '../../../test/support/rpc-proxy.js';
import { startAnvil } from './anvil.js';
import { mineContinuously } from './anvil-mining.js';

const sender = mnemonicToAccount('test test test test test test test test test test test junk');

/** Milliseconds between two looks at the pool, which the tests count. */
const LOOK_MS = 50;

/** A chain that forgets every block, as anvil does now and then, and is said to make them by itself. */
const open = async () => {
  const anvil = await startAnvil({ mineOnDemand: true });
  onTestFinished(() => anvil.stop());
  const proxy = await startRpcProxy(anvil.url);
  onTestFinished(() => proxy.stop());
  const parts = { chain: foundry, transport: http(anvil.url), cacheTime: 0 };
  const client = createTestClient({ ...parts, mode: 'anvil' }).extend(publicActions);
  const wallet = createWalletClient({ ...parts, account: sender });
  const pay = (gwei: string) =>
    wallet.sendTransaction({
      to: sender.address,
      gas: 21_000n,
      maxFeePerGas: parseGwei(gwei),
      maxPriorityFeePerGas: 1n,
    });
  const pulse = () => onTestFinished(mineContinuously(proxy.url, LOOK_MS));
  const looks = () => proxy.count('txpool_content');
  return { proxy, client, pay, pulse, looks };
};

test('a block that anvil failed to mine for a pending transaction is mined, once', async () => {
  const { proxy, client, pay, pulse, looks } = await open();
  proxy.decide = ({ method }) => (method === 'anvil_getAutomine' ? { result: true } : 'pass');
  await pay('10');
  expect(await client.getBlockNumber()).toBe(0n);
  pulse();
  await expect.poll(() => client.getTransactionCount({ address: sender.address })).toBe(1);
  const before = looks();
  await expect.poll(looks).toBeGreaterThan(before + 2);
  expect(await client.getBlockNumber()).toBe(1n);
});

test('transactions queued behind an already mined nonce are sent again', async () => {
  const { url, stop } = await startAnvil({ lookMs: LOOK_MS });
  onTestFinished(stop);
  const parts = { chain: foundry, transport: http(url), cacheTime: 0 };
  const client = createTestClient({ ...parts, mode: 'anvil' }).extend(publicActions);
  const wallet = createWalletClient({ ...parts, account: sender });
  const { address } = sender;
  // As if the transaction with the nonce 0 had been mined while the next one arrived.
  for (const nonce of [1, 2]) await wallet.sendTransaction({ to: address, nonce, gas: 21_000n });
  await client.setNonce({ address, nonce: 1 });
  await expect.poll(() => client.getTransactionCount({ address })).toBe(3);
  expect(await client.getTxpoolStatus()).toEqual({ pending: 0, queued: 0 });
});

test('a transaction priced below the base fee does not cause a block', async () => {
  const { proxy, client, pay, pulse, looks } = await open();
  proxy.decide = ({ method }) => (method === 'anvil_getAutomine' ? { result: true } : 'pass');
  await pay('2');
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('5') });
  await client.mine({ blocks: 1 });
  pulse();
  await expect.poll(looks).toBeGreaterThan(3);
  expect([await client.getBlockNumber(), await client.getTransactionCount({ address: sender.address })]).toEqual([
    1n,
    0,
  ]);
});

test('with automine off, a pending transaction does not cause a block', async () => {
  const { proxy, client, pay, pulse } = await open();
  await pay('10');
  pulse();
  await expect.poll(() => proxy.count('anvil_getAutomine')).toBeGreaterThan(1);
  expect(await client.getBlockNumber()).toBe(0n);
});
