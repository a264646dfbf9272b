import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_APP_ID } from '../src/access/key.js';
import { createSender, type Sender } from '../src/onchain/transaction/sender.js';
import type { UsableWallet } from '../src/onchain/transaction/wallet.js';
import { openPostgres } from '../src/db/postgres.js';
import { idempotent } from '../src/write/idempotency.js';
import {
  freshAddress,
  isSent,
  pay,
  revertingCode,
  sentOf,
  startWalletBench,
  type WalletBench,
} from './support/wallet.js';

let bench: WalletBench;
let sender: Sender;
beforeAll(async () => {
  bench = await startWalletBench();
  sender = createSender(bench.parts);
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  sender.stop();
  await bench.stop();
});

const WAIT = 20_000;
const balance = (number: number) => bench.chain.public.getBalance({ address: freshAddress(number) });
const countOf = ({ address }: UsableWallet) => bench.chain.public.getTransactionCount({ address });
const rows = (wallet: UsableWallet) =>
  bench.fixture.db.run<{ nonce: number; state: string; purpose: string; sent: boolean }>(
    'select nonce, state, purpose, sent from chain_transaction where wallet_id = $1::uuid order by nonce, created_at',
    [wallet.id],
  );

test('a call is sent, mined and kept', async () => {
  const wallet = await bench.wallet();
  const [outcome] = await sender.send(wallet, 'base', [pay(freshAddress(1), 7n)]);
  const sent = sentOf(outcome);
  expect(sent.nonce).toBe(0);
  const receipt = await sender.receipt(sent.id, WAIT);
  expect(receipt).toMatchObject({ transactionHash: sent.hash, status: 'success' });
  expect(receipt?.from.toLowerCase()).toBe(wallet.address.toLowerCase());
  expect(await balance(1)).toBe(7n);
  expect(await rows(wallet)).toEqual([{ nonce: 0, state: 'mined', purpose: 'test', sent: true }]);
  expect(await sender.receipt(sent.id, 0)).toMatchObject({ transactionHash: sent.hash });
  // The fee market of EIP-1559, where the chain has it.
  expect(await bench.chain.public.getTransaction({ hash: sent.hash })).toMatchObject({ type: 'eip1559' });
});

test('a list of 200 goes out under one lock, with one reading of fees, in order', async () => {
  const wallet = await bench.wallet();
  const calls = Array.from({ length: 200 }, (_, place) => pay(freshAddress(1000 + place), BigInt(place + 1)));
  const outcomes = await sender.send(wallet, 'base', calls);
  expect(outcomes.map((outcome) => sentOf(outcome).nonce)).toEqual(calls.map((_, place) => place));
  const receipts = await Promise.all(outcomes.map((outcome) => sender.receipt(sentOf(outcome).id, WAIT)));
  expect(receipts.every((receipt) => receipt?.status === 'success')).toBe(true);
  expect(await countOf(wallet)).toBe(200);
  expect(await balance(1199)).toBe(200n);
});

test('networks that are one chain share the nonces of a wallet', async () => {
  const wallet = await bench.wallet();
  const sent = await Promise.all([
    sender.send(wallet, 'base', [pay(freshAddress(2), 1n)]),
    sender.send(wallet, 'optimism', [pay(freshAddress(2), 1n)]),
  ]);
  expect(sent.map(([one]) => sentOf(one).nonce).sort()).toEqual([0, 1]);
});

test('a hundred sends at once from two processes collide nowhere and leave no gap', async () => {
  const wallet = await bench.wallet();
  const { url } = bench.fixture;
  const other = url === undefined ? bench.fixture.db : openPostgres({ url, poolSize: 4 });
  const second = createSender(bench.otherParts(other));
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, place) =>
      (place % 2 === 0 ? sender : second).send(wallet, 'base', [pay(freshAddress(3), 1n)]),
    ),
  );
  const sent = outcomes.map(([outcome]) => sentOf(outcome));
  expect(sent.map(({ nonce }) => nonce).sort((a, b) => a - b)).toEqual(sent.map((_, place) => place));
  const receipts = await Promise.all(
    sent.map(({ id }, place) => (place % 3 === 0 ? sender : second).receipt(id, WAIT)),
  );
  expect(receipts.every((receipt) => receipt?.status === 'success')).toBe(true);
  expect(await balance(3)).toBe(100n);
  expect(await countOf(wallet)).toBe(100);
  second.stop();
  if (url !== undefined) await other.close();
});

test('a call that reverts costs no nonce, and says why', async () => {
  const wallet = await bench.wallet();
  const contract = freshAddress(4);
  await bench.chain.test.setCode({ address: contract, bytecode: revertingCode('closed') });
  const outcomes = await sender.send(wallet, 'base', [
    pay(freshAddress(5), 1n),
    pay(contract, 0n),
    { failure: { code: 'Unknown', message: 'known before' } },
    pay(freshAddress(5), 1n),
  ]);
  expect(outcomes.map(isSent)).toEqual([true, false, false, true]);
  expect(outcomes[1]).toMatchObject({ failure: { code: 'Reverted', revert: expect.stringMatching(/^0x08c379a0/) } });
  expect(outcomes[2]).toEqual({ failure: { code: 'Unknown', message: 'known before' } });
  expect([sentOf(outcomes[0]).nonce, sentOf(outcomes[3]).nonce]).toEqual([0, 1]);
  expect(await sender.receipt(sentOf(outcomes[3]).id, WAIT)).toMatchObject({ status: 'success' });
});

test('what the wallet cannot pay is not sent, and what it can pay is', async () => {
  const wallet = await bench.wallet('1');
  const most = 10n ** 18n - 10n ** 16n;
  const outcomes = await sender.send(wallet, 'base', [
    pay(freshAddress(6), most),
    pay(freshAddress(6), 10n ** 18n),
    pay(freshAddress(6), 1n),
  ]);
  expect(outcomes.map(isSent)).toEqual([true, false, true]);
  expect(outcomes[1]).toMatchObject({ failure: { code: 'InsufficientFunds' } });
  expect(await sender.receipt(sentOf(outcomes[2]).id, WAIT)).toMatchObject({ status: 'success' });
  const poor = await bench.wallet('0');
  const [refused] = await sender.send(poor, 'base', [pay(freshAddress(6), 1n)]);
  expect(refused).toMatchObject({ failure: { code: 'InsufficientFunds' } });
  expect(await rows(poor)).toEqual([]);
});

test('more at once than the wallet can pay: once it is funded, what was sent is mined, and nothing else', async () => {
  const wallet = await bench.wallet('1');
  const share = 15n * 10n ** 16n;
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, () => sender.send(wallet, 'base', [pay(freshAddress(14), share)])),
  );
  const sent = outcomes.flat().filter(isSent);
  expect(sent.length).toBeGreaterThanOrEqual(6);
  await bench.chain.test.setBalance({ address: wallet.address, value: 10n ** 19n });
  // What a node took and could not put into a block for lack of coin is handed in again.
  const follower = bench.follower();
  for (let round = 0; round < 5; round++) {
    bench.ahead += 31_000;
    await follower.round();
  }
  const receipts = await Promise.all(sent.map(({ id }) => sender.receipt(id, WAIT)));
  expect(receipts.every((receipt) => receipt?.status === 'success')).toBe(true);
  expect(await balance(14)).toBe(share * BigInt(sent.length));
  const [outcome] = await sender.send(wallet, 'base', [pay(freshAddress(15), 1n)]);
  expect(await sender.receipt(sentOf(outcome).id, WAIT)).toMatchObject({ status: 'success' });
  const held = (await rows(wallet)).filter(({ state }) => state !== 'refused');
  expect(held.map(({ nonce }) => nonce)).toEqual(held.map((_, place) => place));
});

test('the last nonce of what a node refuses is handed out again', async () => {
  const wallet = await bench.wallet();
  // With a limit of its own, nothing is estimated, and the node is the first to look.
  const [refused] = await sender.send(wallet, 'base', [pay(freshAddress(7), 1n, { gas: 20_000n })]);
  expect(refused).toMatchObject({ failure: { code: 'Refused' } });
  expect(await rows(wallet)).toEqual([{ nonce: 0, state: 'refused', purpose: 'test', sent: false }]);
  const [outcome] = await sender.send(wallet, 'base', [pay(freshAddress(7), 1n)]);
  expect(sentOf(outcome).nonce).toBe(0);
  expect(await sender.receipt(sentOf(outcome).id, WAIT)).toMatchObject({ status: 'success' });
});

test('a refused nonce that others wait behind is filled', async () => {
  const wallet = await bench.wallet();
  const outcomes = await sender.send(wallet, 'base', [
    pay(freshAddress(8), 1n),
    pay(freshAddress(8), 1n, { gas: 20_000n }),
    pay(freshAddress(8), 1n),
    pay(freshAddress(8), 1n, { gas: 20_000n }),
  ]);
  expect(outcomes.map(isSent)).toEqual([true, false, true, false]);
  expect(await sender.receipt(sentOf(outcomes[2]).id, WAIT)).toMatchObject({ status: 'success' });
  expect(await balance(8)).toBe(2n);
  expect(await countOf(wallet)).toBe(3);
  const held = (await rows(wallet)).filter(({ state }) => state !== 'refused');
  expect(held.map(({ nonce, purpose }) => [nonce, purpose])).toEqual([
    [0, 'test'],
    [1, 'fill'],
    [2, 'test'],
  ]);
});

test('an account that another program uses too goes on with the next free nonce', async () => {
  const key = bench.chain.account(3).getHdKey().privateKey as Uint8Array;
  const wallet = await bench.wallet('100', key);
  const foreign = () =>
    bench.chain.wallet.sendTransaction({ account: bench.chain.account(3), to: freshAddress(9), value: 1n });
  await bench.chain.receipt(foreign());
  // First use: the chain is asked.
  const [first] = await sender.send(wallet, 'base', [pay(freshAddress(9), 1n)]);
  expect(sentOf(first).nonce).toBe(1);
  await sender.receipt(sentOf(first).id, WAIT);
  await bench.chain.receipt(foreign());
  const [second] = await sender.send(wallet, 'base', [pay(freshAddress(9), 1n)]);
  expect(sentOf(second).nonce).toBe(3);
  expect(await sender.receipt(sentOf(second).id, WAIT)).toMatchObject({ status: 'success' });
  expect(await balance(9)).toBe(4n);
});

test('a request that comes again, at once or later, sends once', async () => {
  const wallet = await bench.wallet();
  const request = (idem: string, value = 1n) =>
    idempotent(
      { db: bench.fixture.db, clock: Date.now },
      {
        appId: DEFAULT_APP_ID,
        operation: 'mint-nft',
        idem,
        property: 'Idempotency-Key',
        body: { value: String(value) },
      },
      async (journal) => {
        const plan = async () => [
          pay(freshAddress(10), value),
          { failure: { code: 'Unresolved', message: 'nobody' } },
          pay(freshAddress(10), value),
        ];
        const outcomes = await sender.send(wallet, 'base', plan, { journal });
        await Promise.all(outcomes.filter(isSent).map(({ id }) => sender.receipt(id, WAIT)));
        return { outcomes };
      },
    );
  const answers = await Promise.all([request('one'), request('one'), request('one')]);
  answers.push(await request('one'));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]?.outcomes.map(isSent)).toEqual([true, false, true]);
  expect(await balance(10)).toBe(2n);
  await expect(request('one', 2n)).rejects.toMatchObject({ kind: 'conflict', property: 'Idempotency-Key' });
  expect(await countOf(wallet)).toBe(2);
});

test('a request of which nothing was sent may be tried again under its key', async () => {
  const wallet = await bench.wallet();
  const request = (gas: bigint) =>
    idempotent(
      { db: bench.fixture.db, clock: Date.now },
      { appId: DEFAULT_APP_ID, operation: 'mint-nft', idem: 'again', property: 'Idempotency-Key', body: {} },
      async (journal) => {
        const [outcome] = await sender.send(wallet, 'base', [pay(freshAddress(11), 1n, { gas })], { journal });
        return sentOf(outcome);
      },
    );
  await expect(request(20_000n)).rejects.toThrow('nothing was sent');
  const sent = await request(30_000n);
  expect(await sender.receipt(sent.id, WAIT)).toMatchObject({ status: 'success' });
});

test('what is written with the rows is there if and only if they are', async () => {
  const wallet = await bench.wallet();
  const failing = sender.send(wallet, 'base', [pay(freshAddress(12), 1n)], {
    written: async (session, [outcome]) => {
      await session.run('update wallet set name = $2 where id = $1::uuid', [wallet.id, sentOf(outcome).id]);
      throw new Error('no');
    },
  });
  await expect(failing).rejects.toThrow('no');
  expect(await rows(wallet)).toEqual([]);
  const [outcome] = await sender.send(wallet, 'base', [pay(freshAddress(12), 1n)], {
    written: async (session, [one]) => {
      await session.run('update wallet set name = $2 where id = $1::uuid', [wallet.id, sentOf(one).id]);
    },
  });
  const [row] = await bench.fixture.db.run<{ name: string }>('select name from wallet where id = $1::uuid', [
    wallet.id,
  ]);
  expect(row?.name).toBe(sentOf(outcome).id);
  expect(sentOf(outcome).nonce).toBe(0);
});
