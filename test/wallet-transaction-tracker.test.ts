import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSender, type Sender } from '../src/onchain/transaction/sender.js';
import type { UsableWallet } from '../src/onchain/transaction/wallet.js';
import { type RpcProxy, startRpcProxy } from './support/rpc-proxy.js';
import { pay, requireSent, startWalletBench, unusedAddress, type WalletBench } from './support/wallet.js';

// Blocks are made when the test says so, and the clock goes on when it says so.
let bench: WalletBench;
let proxy: RpcProxy;
let sender: Sender;
beforeAll(async () => {
  bench = await startWalletBench({ mineOnDemand: true }, async (url) => {
    proxy = await startRpcProxy(url);
    return proxy.url;
  });
  sender = createSender(bench.parts);
});
beforeEach(async () => {
  proxy.decide = () => 'pass';
  await bench.chain.mine();
  await bench.follower().round();
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  sender.stop();
  await proxy.stop();
  await bench.stop();
});

const MINUTE = 61_000;
const balance = (number: number) => bench.chain.public.getBalance({ address: unusedAddress(number) });
const countOf = ({ address }: UsableWallet) => bench.chain.public.getTransactionCount({ address });
const rows = (wallet: UsableWallet) =>
  bench.fixture.db.run<{ nonce: number; state: string; purpose: string; failure: string | null }>(
    `select nonce, state, purpose, failure from chain_transaction
      where wallet_id = $1::uuid and state <> 'refused' order by nonce`,
    [wallet.id],
  );
const attempts = (id: string) =>
  bench.fixture.db.run<{ hash: Buffer; maxFee: string; priorityFee: string }>(
    `select hash, max_fee as "maxFee", priority_fee as "priorityFee" from chain_attempt
      where transaction_id = $1::uuid order by created_at`,
    [id],
  );
const sendOne = async (wallet: UsableWallet, number: number) =>
  requireSent((await sender.send(wallet, 'base', [pay(unusedAddress(number), 1n)]))[0]);

test('a transaction below the base fee is sent at a higher price and found under its new hash', async () => {
  const wallet = await bench.wallet();
  const sent = await sendOne(wallet, 1);
  const [first] = await attempts(sent.id);
  const base = BigInt(first?.maxFee as string) * 3n;
  await bench.chain.test.setNextBlockBaseFeePerGas({ baseFeePerGas: base });
  await bench.chain.mine();
  expect(await countOf(wallet)).toBe(0);
  // Not yet: it may be mined in a moment.
  await bench.follower().round();
  expect(await attempts(sent.id)).toHaveLength(1);
  bench.ahead += MINUTE;
  await bench.follower().round();
  const [, second] = await attempts(sent.id);
  expect(BigInt(second?.maxFee as string)).toBeGreaterThan(base);
  expect(await bench.chain.public.getTransaction({ hash: sent.hash }).catch(() => 'replaced')).toBe('replaced');
  await bench.chain.mine();
  const receipt = await sender.receipt(sent.id, 0);
  expect(receipt?.transactionHash).toBe(`0x${second?.hash.toString('hex')}`);
  expect(await balance(1)).toBe(1n);
  await bench.chain.test.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 9n });
});

test('the next transaction of an account is raised by an eighth each time, the others are not', async () => {
  const wallet = await bench.wallet();
  const first = await sendOne(wallet, 2);
  const second = await sendOne(wallet, 2);
  for (let round = 0; round < 2; round++) {
    bench.ahead += MINUTE;
    await bench.follower().round();
  }
  const fees = (await attempts(first.id)).map(({ maxFee }) => Number(maxFee));
  expect(fees).toHaveLength(3);
  expect((fees[1] as number) / (fees[0] as number)).toBeGreaterThanOrEqual(1.125);
  expect((fees[2] as number) / (fees[1] as number)).toBeGreaterThanOrEqual(1.125);
  expect(await attempts(second.id)).toHaveLength(1);
  await bench.chain.mine();
  await bench.follower().round();
  expect((await rows(wallet)).map(({ state }) => state)).toEqual(['mined', 'mined']);
  expect(await balance(2)).toBe(2n);
});

test('if the earlier attempt is mined, its receipt is found, too', async () => {
  const wallet = await bench.wallet();
  const sent = await sendOne(wallet, 3);
  // The dearer one never arrives anywhere.
  proxy.decide = ({ method }) =>
    method === 'eth_sendRawTransaction' ? { error: { code: -32_000, message: 'txpool is full' } } : 'pass';
  bench.ahead += MINUTE;
  await bench.follower().round();
  expect(await attempts(sent.id)).toHaveLength(2);
  await bench.chain.mine();
  expect(await sender.receipt(sent.id, 0)).toMatchObject({ transactionHash: sent.hash, status: 'success' });
});

test('a transaction that a pool dropped is broadcast again, byte for byte', async () => {
  const wallet = await bench.wallet();
  const sent = await sendOne(wallet, 4);
  await bench.chain.test.dropTransaction({ hash: sent.hash });
  await bench.chain.mine();
  expect(await countOf(wallet)).toBe(0);
  bench.ahead += 31_000;
  await bench.follower().round();
  await bench.chain.mine();
  expect(await sender.receipt(sent.id, 0)).toMatchObject({ transactionHash: sent.hash });
});

test('a transaction that never reached a node is broadcast by the tracker', async () => {
  const wallet = await bench.wallet();
  proxy.decide = ({ method }) =>
    method === 'eth_sendRawTransaction' ? { error: { code: -32_000, message: 'txpool is full' } } : 'pass';
  const sent = await sendOne(wallet, 5);
  expect(await rows(wallet)).toEqual([{ nonce: 0, state: 'open', purpose: 'test', failure: 'txpool is full' }]);
  proxy.decide = () => 'pass';
  bench.ahead += 31_000;
  await bench.follower().round();
  expect(await rows(wallet)).toMatchObject([{ state: 'open', failure: null }]);
  await bench.chain.mine();
  expect(await sender.receipt(sent.id, 0)).toMatchObject({ transactionHash: sent.hash });
});

test('a pending transaction whose nonce another program used is signed again and sent once', async () => {
  const key = bench.chain.account(4).getHdKey().privateKey as Uint8Array;
  const wallet = await bench.wallet('100', key);
  const sent = await sendOne(wallet, 6);
  // The other program pays more for the same nonce.
  const foreign = bench.chain.wallet.sendTransaction({
    account: bench.chain.account(4),
    to: unusedAddress(7),
    value: 5n,
    nonce: sent.nonce,
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 11n,
  });
  await foreign;
  await bench.chain.mine();
  expect(await balance(7)).toBe(5n);
  const follower = bench.follower();
  // An endpoint that lags behind might know the receipt later.
  await follower.round();
  expect(await attempts(sent.id)).toHaveLength(1);
  bench.ahead += 31_000;
  await follower.round();
  await bench.chain.mine();
  const receipt = await sender.receipt(sent.id, 0);
  expect(receipt?.status).toBe('success');
  expect(receipt?.transactionHash).not.toBe(sent.hash);
  expect(await rows(wallet)).toMatchObject([{ nonce: sent.nonce + 1, state: 'mined' }]);
  expect(await balance(6)).toBe(1n);
});

test('a nonce that is used between lookup and broadcast: the tracker takes the next one', async () => {
  const key = bench.chain.account(5).getHdKey().privateKey as Uint8Array;
  const wallet = await bench.wallet('100', key);
  let isTaken = false;
  const take = async () => {
    isTaken = true;
    await bench.chain.wallet.sendTransaction({ account: bench.chain.account(5), to: unusedAddress(8), value: 5n });
    await bench.chain.mine();
  };
  // The rows are there, and nothing has left.
  const [outcome] = await sender.send(wallet, 'base', [pay(unusedAddress(9), 1n)], {
    written: async () => {
      await take();
    },
  });
  expect(isTaken).toBe(true);
  const follower = bench.follower();
  await follower.round();
  bench.ahead += 31_000;
  await follower.round();
  await bench.chain.mine();
  expect(await sender.receipt(requireSent(outcome).id, 0)).toMatchObject({ status: 'success' });
  expect(await rows(wallet)).toMatchObject([{ nonce: 1, state: 'mined' }]);
  expect(await balance(9)).toBe(1n);
});

test('unused nonces of dropped transactions are filled', async () => {
  const key = bench.chain.account(6).getHdKey().privateKey as Uint8Array;
  const wallet = await bench.wallet('100', key);
  const hash = await bench.chain.wallet.sendTransaction({
    account: bench.chain.account(6),
    to: unusedAddress(10),
    value: 5n,
  });
  const sent = await sendOne(wallet, 11);
  expect(sent.nonce).toBe(1);
  await bench.chain.test.dropTransaction({ hash });
  const follower = bench.follower();
  await follower.round();
  bench.ahead += 31_000;
  await follower.round();
  await bench.chain.mine();
  expect(await sender.receipt(sent.id, 0)).toMatchObject({ status: 'success' });
  await follower.round();
  expect(await rows(wallet)).toMatchObject([
    { nonce: 0, purpose: 'fill', state: 'mined' },
    { nonce: 1, purpose: 'test', state: 'mined' },
  ]);
  expect(await balance(10)).toBe(0n);
});

test('an endpoint that was down does not prevent finding receipts later', async () => {
  const wallet = await bench.wallet();
  const sent = await sendOne(wallet, 12);
  proxy.decide = () => ({ error: { code: -32_601, message: 'the method does not exist' } });
  await bench.follower().round();
  expect(bench.faults.splice(0)).toHaveLength(1);
  proxy.decide = () => 'pass';
  await bench.chain.mine();
  await bench.follower().round();
  expect(await rows(wallet)).toMatchObject([{ nonce: 0, state: 'mined' }]);
  expect(await sender.receipt(sent.id, 0)).toMatchObject({ transactionHash: sent.hash });
});

test('a wait for a receipt ends at its timeout or with the block', async () => {
  const wallet = await bench.wallet();
  const sent = await sendOne(wallet, 13);
  expect(await sender.receipt(sent.id, 50)).toBeUndefined();
  const waiting = sender.receipt(sent.id, 20_000);
  await bench.chain.mine();
  expect(await waiting).toMatchObject({ transactionHash: sent.hash });
});

test('a wait that starts during a poll of the wallet gets its receipt, too', async () => {
  const wallet = await bench.wallet();
  const first = await sendOne(wallet, 24);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = false;
  proxy.decide = ({ method, params }) => {
    if (isHeld || method !== 'eth_getTransactionCount' || params[1] !== 'latest') return 'pass';
    isHeld = true;
    return { passAfter: released };
  };
  const ofFirst = sender.receipt(first.id, 60_000);
  await expect.poll(() => isHeld).toBe(true);
  const second = await sendOne(wallet, 25);
  const ofSecond = sender.receipt(second.id, 60_000);
  // Queries are answered in the order in which they were sent on each of the two connections: `ofSecond` has its row.
  await Promise.all([rows(wallet), rows(wallet)]);
  const looks = proxy.count('eth_getTransactionCount');
  release();
  await expect.poll(() => proxy.count('eth_getTransactionCount')).toBeGreaterThan(looks);
  await bench.chain.mine();
  const receipts = await Promise.all([ofFirst, ofSecond]);
  expect(receipts.map((receipt) => receipt?.transactionHash)).toEqual([first.hash, second.hash]);
});

test('a chain without base fee gets transactions with a gas price', async () => {
  const wallet = await bench.wallet();
  const { baseFeePerGas: _, ...old } = (await bench.chain.public.request({
    method: 'eth_getBlockByNumber',
    params: ['latest', false],
  } as never)) as Record<string, unknown>;
  proxy.decide = ({ method }) => (method === 'eth_getBlockByNumber' ? { result: old } : 'pass');
  const sent = await sendOne(wallet, 14);
  expect(await bench.chain.public.getTransaction({ hash: sent.hash })).toMatchObject({ type: 'legacy' });
  bench.ahead += MINUTE;
  await bench.follower().round();
  const [first, second] = await attempts(sent.id);
  expect(Number(second?.maxFee) / Number(first?.maxFee)).toBeGreaterThanOrEqual(1.125);
  await bench.chain.mine();
  expect(await sender.receipt(sent.id, 0)).toMatchObject({
    transactionHash: `0x${second?.hash.toString('hex')}`,
    status: 'success',
    type: 'legacy',
  });
});

test('implausible prices of an endpoint are not paid', async () => {
  const wallet = await bench.wallet();
  proxy.decide = ({ method }) =>
    method === 'eth_maxPriorityFeePerGas' ? { result: `0x${(600n * 10n ** 9n).toString(16)}` } : 'pass';
  const sending = sender.send(wallet, 'base', [pay(unusedAddress(20), 1n)]);
  await expect(sending).rejects.toMatchObject({ kind: 'internal', code: 'FeeTooHigh' });
  expect(await rows(wallet)).toEqual([]);
  // What waits already is not offered for more either.
  proxy.decide = () => 'pass';
  const sent = await sendOne(wallet, 20);
  proxy.decide = ({ method }) =>
    method === 'eth_maxPriorityFeePerGas' ? { result: `0x${(600n * 10n ** 9n).toString(16)}` } : 'pass';
  bench.ahead += MINUTE;
  await bench.follower().round();
  expect(await attempts(sent.id)).toHaveLength(1);
  const [row] = await rows(wallet);
  expect(row?.failure).toContain('CASTELLAN_MAX_FEE_GWEI');
  // The operator's own ceiling counts before the default one, for a price that is raised too.
  proxy.decide = () => 'pass';
  const modest = createSender({ ...bench.parts, maxFeeGwei: 1 });
  const { baseFeePerGas } = await bench.chain.public.getBlock();
  await bench.chain.test.setNextBlockBaseFeePerGas({ baseFeePerGas: 2n * 10n ** 9n });
  await bench.chain.mine();
  await expect(modest.send(wallet, 'base', [pay(unusedAddress(20), 1n)])).rejects.toMatchObject({ code: 'FeeTooHigh' });
  modest.stop();
  await bench.chain.test.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFeePerGas as bigint });
  await bench.chain.mine();
});

/** Lets the endpoint say this of the next nonce, and of those in blocks the truth. */
const overrideNonce = (nonce: number, times = Number.POSITIVE_INFINITY) => {
  let left = times;
  proxy.decide = ({ method, params }) => {
    if (method !== 'eth_getTransactionCount' || params[1] !== 'pending' || left === 0) return 'pass';
    left -= 1;
    return { result: `0x${nonce.toString(16)}` };
  };
};

test('an implausible next nonce of an endpoint is not used', async () => {
  const wallet = await bench.wallet();
  overrideNonce(100_000, 1);
  const fresh = sender.send(wallet, 'base', [pay(unusedAddress(21), 1n)]);
  await expect(fresh).rejects.toMatchObject({ code: 'ChainUnavailable' });
  const first = await sendOne(wallet, 21);
  expect(first.nonce).toBe(0);
  overrideNonce(100_000);
  const again = sender.send(wallet, 'base', [pay(unusedAddress(21), 1n)]);
  await expect(again).rejects.toMatchObject({ code: 'ChainUnavailable' });
  proxy.decide = () => 'pass';
  expect((await sendOne(wallet, 21)).nonce).toBe(1);
  await bench.chain.mine();
  expect(await balance(21)).toBe(2n);
});

/** As an endpoint that lied about everything left it: a wallet whose next nonce is far from the chain's. */
const unreachableNonce = async (next: number, number: number) => {
  const wallet = await bench.wallet();
  await bench.fixture.db.run(
    'insert into wallet_nonce (wallet_id, chain_id, next_nonce) values ($1::uuid, 31337, $2)',
    [wallet.id, next],
  );
  const sent = await sendOne(wallet, number);
  expect(sent.nonce).toBe(next);
  const follower = bench.follower();
  for (let round = 0; round < 3; round++) {
    await follower.round();
    bench.ahead += 31_000;
  }
  return { wallet, sent };
};

test('a small nonce gap is filled, a large one is not', async () => {
  const { wallet } = await unreachableNonce(3, 22);
  expect((await rows(wallet)).map(({ purpose }) => purpose)).toEqual(['fill', 'fill', 'fill', 'test']);
  const { wallet: other } = await unreachableNonce(60, 22);
  expect(await rows(other)).toMatchObject([
    { nonce: 60, state: 'open', failure: expect.stringContaining('16 nonces') },
  ]);
});

test('transactions above a far too large gap get lower nonces, and the next nonce is lowered', async () => {
  const { wallet, sent } = await unreachableNonce(100_000, 23);
  expect(await rows(wallet)).toMatchObject([{ nonce: 0, purpose: 'test', state: 'open' }]);
  expect((await sendOne(wallet, 23)).nonce).toBe(1);
  await bench.chain.mine();
  expect(await sender.receipt(sent.id, 0)).toMatchObject({ status: 'success' });
  expect(await balance(23)).toBe(2n);
});
