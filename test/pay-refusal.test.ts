import { parseUnits } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PayEnvironment, startPayEnvironment } from './support/pay.js';
import { FIDS, seedBasics } from './support/seed.js';
import { deployToken, mintToken } from './support/token-environment.js';

let pay: PayEnvironment;
beforeAll(async () => {
  pay = await startPayEnvironment();
});
afterAll(() => pay.stop());

describe('what does not pay', () => {
  const refusal = async (id: string, hash: unknown): Promise<string> => {
    const { status, body } = await pay.report(id, hash);
    expect([status, body.property]).toEqual([400, 'hash']);
    expect(await pay.statusOf(id)).toBe('created');
    return body.message;
  };

  test.each<[string, Parameters<PayEnvironment['transfer']>[0]]>([
    ['too small an amount', { amount: '4.999999' }],
    ['another recipient', { to: '0x00000000000000000000000000000000000005a2' }],
  ])('%s', async (_, sent) => {
    const id = await pay.made();
    expect(await refusal(id, await pay.transfer(sent))).toContain('does not transfer the amount');
  });

  test('another token', async () => {
    const id = await pay.made();
    const other = await deployToken(pay.chain, 'Other', 'OTHER', 6);
    await mintToken(pay.chain, other, pay.chain.account(3).address, parseUnits('10', 6));
    expect(await refusal(id, await pay.transfer({ of: other }))).toContain('does not transfer the amount');
  });

  test('a failed transaction', async () => {
    const id = await pay.made();
    const poor = pay.chain.account(5);
    expect(await refusal(id, await pay.transfer({ from: poor }))).toContain('failed');
  });

  test('a transaction from before the page', async () => {
    const hash = await pay.transfer();
    expect(await refusal(await pay.made(), hash)).toContain('older');
  });

  test('a transaction that paid for another page', async () => {
    const [one, two] = [await pay.made(), await pay.made()];
    const hash = await pay.transfer();
    // Both at once: the transfer counts for one of them.
    const results = await Promise.all([pay.report(one, hash), pay.report(two, hash)]);
    expect(results.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(results.find(({ status }) => status === 400)?.body.message).toContain('another request');
    expect([await pay.statusOf(one), await pay.statusOf(two)].sort()).toEqual(['completed', 'created']);
  });

  test("a stranger's transaction that its page made for itself", async () => {
    const [victim, thief] = [await pay.made(), await pay.made()];
    const { to, data } = (await pay.paymentOf(victim)).transaction;
    const hash = await pay.chain.wallet.sendTransaction({
      account: pay.chain.account(3),
      chain: pay.chain.wallet.chain,
      to,
      data,
    });
    await pay.chain.receipt(hash);
    expect(await refusal(thief, hash)).toContain('another request');
    expect((await pay.report(victim, hash)).body.status).toBe('completed');
  });

  test('texts that are no hashes, and hashes that no chain has', async () => {
    const id = await pay.made();
    for (const hash of [undefined, 5, '', '0x12', `${'0x'}${'g'.repeat(64)}`, ['0x'.padEnd(66, '1')]]) {
      expect(await refusal(id, hash)).toContain('64 hex digits');
    }
    for (let index = 0; index < 15; index += 1) {
      const { status, body } = await pay.report(id, `0x${index.toString(16).padStart(64, '0')}`);
      expect([status, body.status]).toEqual([200, 'created']);
    }
    const [row] = await pay.network.sql<{ n: number }>(
      'select count(*)::int as n from pay_report where pay_frame_id = $1',
      [id],
    );
    expect(row?.n).toBe(10);
    expect((await pay.report('00000000-0000-4000-8000-000000000000', '0x'.padEnd(66, '1'))).status).toBe(404);
    // They do not stand in the way of the real one, and end after a day.
    pay.later(25 * 60 * 60 * 1000);
    await pay.statusOf(id);
    expect((await pay.network.sql('select 1 from pay_report where pay_frame_id = $1', [id])).length).toBe(0);
    expect((await pay.report(id, await pay.transfer())).body.status).toBe('completed');
  });

  test('tokens of an account that is not on the allow list', async () => {
    const seeded = await seedBasics((items) => pay.network.load(items));
    const allowed = { allowlist_fids: [FIDS.alice, FIDS.bob] };
    const [verified, custody] = [seeded.alice.wallet(1).account, seeded.bob.custody.account];
    for (const { address } of [verified, custody]) {
      await pay.chain.test.setBalance({ address, value: parseUnits('1', 18) });
      await mintToken(pay.chain, pay.token, address, parseUnits('100', 6));
    }
    const id = await pay.made({}, allowed);
    expect(await refusal(id, await pay.transfer())).toContain('not an address of an account that may pay');
    expect((await pay.report(id, await pay.transfer({ from: verified }))).body.status).toBe('completed');
    const second = await pay.made({}, allowed);
    expect((await pay.report(second, await pay.transfer({ from: custody }))).body.status).toBe('completed');
  });
});
