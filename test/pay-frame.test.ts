import { getAddress, parseUnits, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testTokenAbi } from '../src/onchain/artifact/test-token.js';
import { createSecondApp } from './support/app.js';
import { startNetwork } from './support/network.js';
import { itemsOf, PAY, type PayEnvironment, SHOP, startPayEnvironment } from './support/pay.js';

let pay: PayEnvironment;
beforeAll(async () => {
  pay = await startPayEnvironment();
});
afterAll(() => pay.stop());

describe('a payment page', () => {
  test('returns what the app sent, and is complete once the chain has the payment', async () => {
    const config = { action: { text: 'Buy', button_color: '#ff0000', text_color: 'white' } };
    const address = getAddress('0x00000000000000000000000000000000000ca5e1');
    const { body } = await pay.create({ address, amount: 1.25 }, config);
    const frame = body.transaction_frame;
    expect(frame).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: `${pay.network.config.publicUrl}/pay/${frame.id}`,
      type: 'pay',
      status: 'created',
      transaction: {
        to: {
          network: 'base',
          address: address.toLowerCase(),
          token_contract_address: pay.token.toLowerCase(),
          amount: 1.25,
        },
      },
      config: itemsOf(config),
    });
    expect(await pay.statusOf(frame.id)).toBe('created');
    const hash = await pay.transfer({ to: address, amount: '1.25' });
    expect(await pay.report(frame.id, hash)).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect(await pay.report(frame.id, hash)).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect(await pay.statusOf(frame.id)).toBe('completed');
    expect((await pay.paymentOf(frame.id)).status).toBe('completed');
  });

  test('gives the payer a transaction that pays it', async () => {
    const id = await pay.made({ amount: 0.000001 });
    const { transaction, chain_id } = await pay.paymentOf(id);
    const { to, data } = transaction;
    expect(chain_id).toBe(pay.chain.chainId);
    const account = pay.chain.account(3);
    const before = await pay.chain.public.readContract({
      address: pay.token,
      abi: testTokenAbi,
      functionName: 'balanceOf',
      args: [SHOP],
    });
    const hash = await pay.chain.wallet.sendTransaction({ account, chain: pay.chain.wallet.chain, to, data });
    await pay.chain.receipt(hash);
    const after = await pay.chain.public.readContract({
      address: pay.token,
      abi: testTokenAbi,
      functionName: 'balanceOf',
      args: [SHOP],
    });
    expect(after - before).toBe(1n);
    expect((await pay.report(id, hash)).body.status).toBe('completed');
  });

  test('counts more than the amount, and a transaction that was mined after its report', async () => {
    const id = await pay.made();
    await pay.chain.test.setAutomine(false);
    const account = pay.chain.account(3);
    const hash = await pay.chain.wallet.writeContract({
      account,
      chain: pay.chain.wallet.chain,
      address: pay.token,
      abi: testTokenAbi,
      functionName: 'transfer',
      args: [SHOP, parseUnits('7', 6)],
      gas: 200_000n,
    });
    const early = await pay.report(id, hash);
    expect([early.status, early.body]).toEqual([
      200,
      { status: 'created', detail: expect.stringContaining('not included') },
    ]);
    expect(await pay.statusOf(id)).toBe('created');
    await pay.chain.test.setAutomine(true);
    await pay.chain.mine();
    expect(await pay.statusOf(id)).toBe('completed');
  });

  test('is the same for the same idem, and a conflict for another body', async () => {
    const idem = 'order 17 of the shop';
    const answers = await Promise.all([1, 2, 3].map(() => pay.create({}, {}, { idem })));
    const ids = answers.map(({ body }) => body.transaction_frame.id);
    expect(new Set(ids).size).toBe(1);
    await pay.report(ids[0], await pay.transfer());
    expect((await pay.create({}, {}, { idem })).body.transaction_frame).toMatchObject({
      id: ids[0],
      status: 'completed',
    });
    expect((await pay.create({ amount: 6 }, {}, { idem })).status).toBe(409);
    const other = await createSecondApp(pay.network);
    const own = await pay.network.send(
      'POST',
      PAY,
      { transaction: answers[0]?.body.transaction_frame.transaction, config: itemsOf(), idem },
      other.headers,
    );
    expect(own.body.transaction_frame.id).not.toBe(ids[0]);
  });

  test('is read by its own app only', async () => {
    const id = await pay.made();
    const other = await createSecondApp(pay.network);
    expect((await pay.network.get(`${PAY}?id=${id}`, other.headers)).status).toBe(404);
    expect((await pay.network.get(`${PAY}?id=00000000-0000-4000-8000-000000000000`)).status).toBe(404);
    expect((await pay.network.get(`${PAY}?id=none`)).status).toBe(404);
    expect((await pay.network.get(PAY)).body).toMatchObject({ status: 400, property: 'id' });
  });
});

describe('a request that cannot be paid', () => {
  test.each<[string, object, string, string]>([
    ['a network without endpoint', { network: 'solana' }, 'transaction', 'network'],
    ['the zero address', { address: zeroAddress }, 'transaction.to.address', 'zero address'],
    ['an amount of 0', { amount: 0 }, 'transaction', 'amount'],
    ['a negative amount', { amount: -5 }, 'transaction', 'amount'],
    ['more decimals than the token has', { amount: 0.00000001 }, 'transaction.to.amount', '6 decimals'],
    ['more than the token can count', { amount: 1e80 }, 'transaction.to.amount', 'no amount of this token'],
    ['an amount as text', { amount: '5' }, 'transaction', 'amount'],
    ['no address', { address: '0x12' }, 'transaction', 'address'],
    [
      'an address without code',
      { token_contract_address: SHOP },
      'transaction.to.token_contract_address',
      'not the contract of an ERC-20 token',
    ],
    [
      'the native coin',
      { token_contract_address: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee' },
      'transaction.to.token_contract_address',
      'not the contract of an ERC-20 token',
    ],
    [
      'a wrong checksum',
      { address: getAddress(`0x${'ab'.repeat(20)}`).replace('aB', 'Ab') },
      'transaction.to.address',
      'checksum',
    ],
  ])('%s', async (_, to, property, words) => {
    const { status, body } = await pay.create(to);
    expect([status, body.property, body.message]).toEqual([400, property, expect.stringContaining(words)]);
  });

  test('a configuration without items, with an empty allow list, or too large', async () => {
    const bodies = [{ line_items: [] }, { allowlist_fids: [] }, { action: { text: 'x'.repeat(70_000) } }];
    const properties = [];
    for (const config of bodies) {
      const { status, body } = await pay.create({}, config);
      expect(status).toBe(400);
      properties.push(body.property);
    }
    expect(properties).toEqual(['config', 'config.allowlist_fids', 'config']);
  });

  test('a network that the operator did not configure', async () => {
    const alone = await startNetwork();
    const body = {
      transaction: { to: { network: 'base', address: SHOP, token_contract_address: pay.token, amount: 5 } },
      config: itemsOf(),
    };
    const answer = await alone.send('POST', PAY, body);
    expect([answer.status, answer.body.property, answer.body.message]).toEqual([
      400,
      'transaction.to.network',
      expect.stringContaining('CASTELLAN_RPC_BASE'),
    ]);
    const manifest = await alone.get('/.well-known/farcaster.json');
    expect([manifest.status, manifest.body.message]).toEqual([
      404,
      expect.stringContaining('CASTELLAN_MINIAPP_ASSOCIATION'),
    ]);
    await alone.stop();
  });
});

test('a payment on a public network needs confirmations, and a replaced block takes it back', async () => {
  const base = await startPayEnvironment(8453);
  const id = await base.made();
  const snapshot = await base.chain.test.snapshot();
  const { body } = await base.report(id, await base.transfer());
  expect(body).toEqual({ status: 'created', detail: 'The network has confirmed 1 of 5 blocks.' });
  await base.chain.mine(3);
  expect(await base.statusOf(id)).toBe('created');
  await base.chain.test.revert({ id: snapshot });
  await base.chain.mine(10);
  expect(await base.statusOf(id)).toBe('created');
  await base.report(id, await base.transfer());
  await base.chain.mine(4);
  expect(await base.statusOf(id)).toBe('completed');

  // Without the chain, what is known is returned.
  const open = await base.made();
  const hash = `0x${'12'.repeat(32)}`;
  await base.report(open, hash);
  await base.chain.stop();
  expect([await base.statusOf(open), await base.statusOf(id)]).toEqual(['created', 'completed']);
  expect(await base.report(open, hash)).toMatchObject({ status: 500, body: { code: 'ChainUnavailable' } });
  await base.stop();
});
