import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_APP_ID } from '../src/access/key.js';
import { openPostgres } from '../src/db/postgres.js';
import { createSender, type Sender } from '../src/onchain/transaction/sender.js';
import type { UsableWallet } from '../src/onchain/transaction/wallet.js';
import { idempotent } from '../src/write/idempotency.js';
import {
  isSent,
  pay,
  requireSent,
  revertingCode,
  startWalletBench,
  unusedAddress,
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

/** Milliseconds; two hundred calls took more than 20 s on a busy machine. */
const WAIT = 50_000;
const balance = (number: number) => bench.chain.public.getBalance({ address: unusedAddress(number) });
const countOf = ({ address }: UsableWallet) => bench.chain.public.getTransactionCount({ address });
const rows = (wallet: UsableWallet) =>
  bench.fixture.db.run<{ nonce: number; state: string; purpose: string; sent: boolean }>(
    'select nonce, state, purpose, sent from chain_transaction where wallet_id = $1::uuid order by nonce, created_at',
    [wallet.id],
  );

test('a call is sent, mined and stored', async () => {
  const wallet = await bench.wallet();
  const [outcome] = await sender.send(wallet, 'base', [pay(unusedAddress(1), 7n)]);
  const sent = requireSent(outcome);
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

test('200 calls are sent in order under one lock, with fees read once', async () => {
  const wallet = await bench.wallet();
  const calls = Array.from({ length: 200 }, (_, place) => pay(unusedAddress(1000 + place), BigInt(place + 1)));
  const outcomes = await sender.send(wallet, 'base', calls);
  expect(outcomes.map((outcome) => requireSent(outcome).nonce)).toEqual(calls.map((_, place) => place));
  const receipts = await Promise.all(outcomes.map((outcome) => sender.receipt(requireSent(outcome).id, WAIT)));
  const missing = outcomes.filter((_, place) => receipts[place]?.status !== 'success');
  expect(missing).toEqual([]);
  expect(await countOf(wallet)).toBe(200);
  expect(await balance(1199)).toBe(200n);
});

test('networks with the same chain share the nonces of a wallet', async () => {
  const wallet = await bench.wallet();
  const sent = await Promise.all([
    sender.send(wallet, 'base', [pay(unusedAddress(2), 1n)]),
    sender.send(wallet, 'optimism', [pay(unusedAddress(2), 1n)]),
  ]);
  expect(sent.map(([one]) => requireSent(one).nonce).sort()).toEqual([0, 1]);
});

test('a hundred concurrent sends of two processes neither conflict nor leave a gap', async () => {
  const wallet = await bench.wallet();
  const { url } = bench.fixture;
  const other = url === undefined ? bench.fixture.db : openPostgres({ url, poolSize: 4 });
  const second = createSender(bench.otherDependencies(other));
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, place) =>
      (place % 2 === 0 ? sender : second).send(wallet, 'base', [pay(unusedAddress(3), 1n)]),
    ),
  );
  const sent = outcomes.map(([outcome]) => requireSent(outcome));
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

test('a call that reverts uses no nonce and returns its reason', async () => {
  const wallet = await bench.wallet();
  const contract = unusedAddress(4);
  await bench.chain.test.setCode({ address: contract, bytecode: revertingCode('closed') });
  const outcomes = await sender.send(wallet, 'base', [
    pay(unusedAddress(5), 1n),
    pay(contract, 0n),
    { failure: { code: 'Unknown', message: 'known before' } },
    pay(unusedAddress(5), 1n),
  ]);
  expect(outcomes.map(isSent)).toEqual([true, false, false, true]);
  expect(outcomes[1]).toMatchObject({ failure: { code: 'Reverted', revert: expect.stringMatching(/^0x08c379a0/) } });
  expect(outcomes[2]).toEqual({ failure: { code: 'Unknown', message: 'known before' } });
  expect([requireSent(outcomes[0]).nonce, requireSent(outcomes[3]).nonce]).toEqual([0, 1]);
  expect(await sender.receipt(requireSent(outcomes[3]).id, WAIT)).toMatchObject({ status: 'success' });
});

test('calls that the wallet cannot pay for are not sent, the others are', async () => {
  const wallet = await bench.wallet('1');
  const most = 10n ** 18n - 10n ** 16n;
  const outcomes = await sender.send(wallet, 'base', [
    pay(unusedAddress(6), most),
    pay(unusedAddress(6), 10n ** 18n),
    pay(unusedAddress(6), 1n),
  ]);
  expect(outcomes.map(isSent)).toEqual([true, false, true]);
  expect(outcomes[1]).toMatchObject({ failure: { code: 'InsufficientFunds' } });
  expect(await sender.receipt(requireSent(outcomes[2]).id, WAIT)).toMatchObject({ status: 'success' });
  const poor = await bench.wallet('0');
  const [refused] = await sender.send(poor, 'base', [pay(unusedAddress(6), 1n)]);
  expect(refused).toMatchObject({ failure: { code: 'InsufficientFunds' } });
  expect(await rows(poor)).toEqual([]);
});

test('concurrent sends that exceed the funds: what was sent is mined after funding, and nothing else', async () => {
  const wallet = await bench.wallet('1');
  const share = 15n * 10n ** 16n;
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, () => sender.send(wallet, 'base', [pay(unusedAddress(14), share)])),
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
  const [outcome] = await sender.send(wallet, 'base', [pay(unusedAddress(15), 1n)]);
  expect(await sender.receipt(requireSent(outcome).id, WAIT)).toMatchObject({ status: 'success' });
  const held = (await rows(wallet)).filter(({ state }) => state !== 'refused');
  expect(held.map(({ nonce }) => nonce)).toEqual(held.map((_, place) => place));
});

test('the last nonce of a rejected transaction is assigned again', async () => {
  const wallet = await bench.wallet();
  // With a limit of its own, nothing is estimated, and the node is the first to look.
  const [refused] = await sender.send(wallet, 'base', [pay(unusedAddress(7), 1n, { gas: 20_000n })]);
  expect(refused).toMatchObject({ failure: { code: 'Refused' } });
  expect(await rows(wallet)).toEqual([{ nonce: 0, state: 'refused', purpose: 'test', sent: false }]);
  const [outcome] = await sender.send(wallet, 'base', [pay(unusedAddress(7), 1n)]);
  expect(requireSent(outcome).nonce).toBe(0);
  expect(await sender.receipt(requireSent(outcome).id, WAIT)).toMatchObject({ status: 'success' });
});

test('a rejected nonce that later transactions depend on is filled', async () => {
  const wallet = await bench.wallet();
  const outcomes = await sender.send(wallet, 'base', [
    pay(unusedAddress(8), 1n),
    pay(unusedAddress(8), 1n, { gas: 20_000n }),
    pay(unusedAddress(8), 1n),
    pay(unusedAddress(8), 1n, { gas: 20_000n }),
  ]);
  expect(outcomes.map(isSent)).toEqual([true, false, true, false]);
  expect(await sender.receipt(requireSent(outcomes[2]).id, WAIT)).toMatchObject({ status: 'success' });
  expect(await balance(8)).toBe(2n);
  expect(await countOf(wallet)).toBe(3);
  const held = (await rows(wallet)).filter(({ state }) => state !== 'refused');
  expect(held.map(({ nonce, purpose }) => [nonce, purpose])).toEqual([
    [0, 'test'],
    [1, 'fill'],
    [2, 'test'],
  ]);
});

test('an account that another program uses, too, continues with the next free nonce', async () => {
  const key = bench.chain.account(3).getHdKey().privateKey as Uint8Array;
  const wallet = await bench.wallet('100', key);
  const foreign = () =>
    bench.chain.wallet.sendTransaction({ account: bench.chain.account(3), to: unusedAddress(9), value: 1n });
  await bench.chain.receipt(foreign());
  // First use: the chain is asked.
  const [first] = await sender.send(wallet, 'base', [pay(unusedAddress(9), 1n)]);
  expect(requireSent(first).nonce).toBe(1);
  await sender.receipt(requireSent(first).id, WAIT);
  await bench.chain.receipt(foreign());
  const [second] = await sender.send(wallet, 'base', [pay(unusedAddress(9), 1n)]);
  expect(requireSent(second).nonce).toBe(3);
  expect(await sender.receipt(requireSent(second).id, WAIT)).toMatchObject({ status: 'success' });
  expect(await balance(9)).toBe(4n);
});

test('a repeated request, concurrent or later, sends once', async () => {
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
      async (idempotencyRecord) => {
        const plan = async () => [
          pay(unusedAddress(10), value),
          { failure: { code: 'Unresolved', message: 'nobody' } },
          pay(unusedAddress(10), value),
        ];
        const outcomes = await sender.send(wallet, 'base', plan, { idempotencyRecord: idempotencyRecord });
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

test('a request that sent nothing may be repeated under its key', async () => {
  const wallet = await bench.wallet();
  const request = (gas: bigint) =>
    idempotent(
      { db: bench.fixture.db, clock: Date.now },
      { appId: DEFAULT_APP_ID, operation: 'mint-nft', idem: 'again', property: 'Idempotency-Key', body: {} },
      async (idempotencyRecord) => {
        const [outcome] = await sender.send(wallet, 'base', [pay(unusedAddress(11), 1n, { gas })], {
          idempotencyRecord: idempotencyRecord,
        });
        return requireSent(outcome);
      },
    );
  await expect(request(20_000n)).rejects.toThrow('nothing was sent');
  const sent = await request(30_000n);
  expect(await sender.receipt(sent.id, WAIT)).toMatchObject({ status: 'success' });
});

test('what is written with the rows is committed if and only if they are', async () => {
  const wallet = await bench.wallet();
  const failing = sender.send(wallet, 'base', [pay(unusedAddress(12), 1n)], {
    written: async (session, [outcome]) => {
      await session.run('update wallet set name = $2 where id = $1::uuid', [wallet.id, requireSent(outcome).id]);
      throw new Error('no');
    },
  });
  await expect(failing).rejects.toThrow('no');
  expect(await rows(wallet)).toEqual([]);
  const [outcome] = await sender.send(wallet, 'base', [pay(unusedAddress(12), 1n)], {
    written: async (session, [one]) => {
      await session.run('update wallet set name = $2 where id = $1::uuid', [wallet.id, requireSent(one).id]);
    },
  });
  const [row] = await bench.fixture.db.run<{ name: string }>('select name from wallet where id = $1::uuid', [
    wallet.id,
  ]);
  expect(row?.name).toBe(requireSent(outcome).id);
  expect(requireSent(outcome).nonce).toBe(0);
});
