import { randomUUID } from 'node:crypto';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobList } from '../src/job/job-list.js';
import { createPaymentSigner } from '../src/onchain/x402/payment.js';
import { mintToken } from './support/token-environment.js';
import {
  facilitatorOf,
  PATH,
  refusal,
  requirement,
  SEPOLIA_USDC,
  startX402Network,
  USDC,
  type X402Network,
} from './support/x402.js';

const ONE = 1_000_000n;

let x402: X402Network;

beforeAll(async () => {
  x402 = await startX402Network();
});
afterAll(() => x402.stop());

describe('sums', () => {
  test('count what may still be collected against the balance, until it is collected or expires', async () => {
    const payer = await x402.payerWith(ONE);
    const wanted = requirement({ maxAmountRequired: '600000' });
    const first = await x402.signed(payer, [wanted]);
    expect(refusal(await x402.ask(payer, [wanted]))).toEqual([400, 'InsufficientFunds', 'payment_requirements']);
    await x402.signed(payer, [requirement({ maxAmountRequired: '400000' })]);
    const facilitator = new ExactEvmSchemeV1(facilitatorOf(x402.chain));
    expect(await facilitator.settle(first, wanted as never)).toMatchObject({ success: true });
    // 400,000 are left, and promised.
    expect((await x402.ask(payer, [requirement({ maxAmountRequired: '1' })])).status).toBe(400);
    await mintToken(x402.chain, USDC, payer.wallet.address, 1n);
    await x402.signed(payer, [requirement({ maxAmountRequired: '1' })]);
    x402.later(61_000);
    await x402.signed(payer, [requirement({ maxAmountRequired: '400001' })]);
  });

  test('do not exceed the balance for requests at the same time', async () => {
    const payer = await x402.payerWith(30_000n);
    const answers = await Promise.all(Array.from({ length: 10 }, () => x402.ask(payer, [requirement()])));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ body }) => body.code === 'InsufficientFunds')).toHaveLength(7);
  });

  test('of a day are limited for 20 requests at the same time', async () => {
    const payer = await x402.payerWith(1000n * ONE);
    const most = requirement({ maxAmountRequired: '10000000' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => x402.ask(payer, [most])));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(refusal(answer)).toEqual([400, 'DailyLimitReached', 'payment_requirements']);
    }
    const nonces = answers.flatMap(({ body }) => body.payload?.authorization.nonce ?? []);
    expect(new Set(nonces).size).toBe(10);
    // Of another network and another token they are limited apart, and another wallet has a limit of its own.
    await x402.signed(payer, [requirement({ network: 'base-sepolia', asset: SEPOLIA_USDC, extra: null })]);
    await x402.signed(await x402.payerWith(ONE), [requirement()]);
    x402.later(24 * 60 * 60 * 1000);
    await x402.signed(payer, [most]);
  });

  test('are limited for processes that sign at the same time', async () => {
    const { wallet, organizationId } = await x402.payerWith(1000n * ONE);
    const { app, config } = x402.nft.network;
    const [caller] = await x402.nft.network.sql<{ apiKeyId: string; appId: string }>(
      `select k.id as "apiKeyId", app_id as "appId" from api_key k join app a on a.id = k.app_id
        where a.organization_id = $1::uuid limit 1`,
      [organizationId],
    );
    // Each has its own queue, so only the row of the wallet keeps them apart.
    const signers = Array.from({ length: 20 }, () =>
      createPaymentSigner({
        ...{ db: app.core.db, networks: app.services.networks, masterKey: config.masterKey },
        ...{ clock: x402.clock, settings: config.x402, allowsLocalSites: false },
      }),
    );
    const requirements = [requirement({ maxAmountRequired: '10000000' })];
    const request = { ...(caller as { apiKeyId: string; appId: string }), wallet, requirements };
    const outcomes = await Promise.allSettled(
      signers.map((signer) => signer.authorize({ ...request, idempotencyRecord: undefined })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'DailyLimitReached' });
    }
  });

  test('of another token have limits of their own', async () => {
    const payer = await x402.payerWith(0n);
    await mintToken(x402.chain, x402.other, payer.wallet.address, 5000n);
    const wanted = requirement({ asset: x402.other, maxAmountRequired: '500', extra: null });
    await x402.signed(payer, [wanted]);
    await x402.signed(payer, [wanted]);
    const answer = await x402.ask(payer, [{ ...wanted, maxAmountRequired: '1' }]);
    expect(refusal(answer)).toEqual([400, 'DailyLimitReached', 'payment_requirements']);
  });
});

describe('a request with an Idempotency-Key', () => {
  test('is signed once, however often and at the same time it is sent', async () => {
    const payer = await x402.payerWith(ONE);
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        x402.signed(payer, [requirement()], { key, version: 2, body: { request_context: { attempt: index } } }),
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await x402.signed(payer, [requirement()], { key, version: 2 })).toEqual(answers[0]);
    const rows = await x402.nft.network.sql('select 1 from x402_authorization where wallet_id = $1::uuid', [
      payer.wallet.id,
    ]);
    expect(rows).toHaveLength(1);
  });

  test('is a conflict with other requirements, and with another wallet', async () => {
    const payer = await x402.payerWith(ONE);
    const key = randomUUID();
    await x402.signed(payer, [requirement()], { key });
    for (const answer of [
      await x402.ask(payer, [requirement({ maxAmountRequired: '10001' })], { key }),
      await x402.ask(payer, [requirement()], { key, version: 2 }),
      await x402.ask(await x402.payerWith(ONE), [requirement()], { key }),
    ]) {
      expect(refusal(answer)).toEqual([409, 'Conflict', 'Idempotency-Key']);
    }
  });

  test('is signed for one of two wallets at the same time', async () => {
    const payers = [await x402.payerWith(ONE), await x402.payerWith(ONE)];
    for (let round = 0; round < 5; round += 1) {
      const key = randomUUID();
      const answers = await Promise.all(payers.map((payer) => x402.ask(payer, [requirement()], { key })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  test('is not signed again once it has expired', async () => {
    const payer = await x402.payerWith(ONE);
    const key = randomUUID();
    await x402.signed(payer, [requirement()], { key });
    x402.later(30_000);
    expect((await x402.ask(payer, [requirement()], { key })).status).toBe(200);
    x402.later(31_000);
    expect(refusal(await x402.ask(payer, [requirement()], { key }))).toEqual([400, 'Expired', 'Idempotency-Key']);
  });

  test('can be sent again after a refusal', async () => {
    const payer = await x402.payerWith(0n);
    const key = randomUUID();
    expect(refusal(await x402.ask(payer, [requirement()], { key }))[1]).toBe('InsufficientFunds');
    await mintToken(x402.chain, USDC, payer.wallet.address, ONE);
    await x402.signed(payer, [requirement()], { key });
  });
});

test('no signature is stored', async () => {
  const payer = await x402.payerWith(ONE);
  const { payload } = await x402.signed(payer, [requirement()], { key: randomUUID() });
  const digits = payload.signature.slice(2);
  const tables = await x402.nft.network.sql<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  for (const { name } of tables) {
    const found = await x402.nft.network.sql(
      `select 1 from "${name}" as t where t::text like '%' || $1 || '%' limit 1`,
      [digits.slice(0, 40)],
    );
    expect([name, found]).toEqual([name, []]);
  }
  const [row] = await x402.nft.network.sql<{ resource: string }>(
    'select resource from x402_authorization where wallet_id = $1::uuid',
    [payer.wallet.id],
  );
  expect(row?.resource).toBe('https://weather.example/today');
});

test('what was signed is known for 90 days', async () => {
  const payer = await x402.payerWith(ONE);
  await x402.signed(payer, [requirement()]);
  const { db } = x402.nft.network.app.core;
  const body = { resource: 'https://weather.example/' };
  await x402.nft.network.send('POST', `${PATH}siwx`, body, payer.headers);
  const days = (count: number): Date => new Date(x402.clock() - count * 24 * 60 * 60 * 1000);
  const countRows = async (): Promise<number[]> => {
    const counts = ['x402_authorization', 'x402_sign_in'].map(async (table) => {
      const rows = await x402.nft.network.sql(`select 1 from ${table} where wallet_id = $1::uuid`, [payer.wallet.id]);
      return rows.length;
    });
    return Promise.all(counts);
  };
  const { retention } = x402.nft.network.config;
  const unused = async (): Promise<void> => undefined;
  const parts = { db, retention, changed: () => undefined, searchTransfers: unused, readStoredChannels: unused };
  const forget = jobList({ ...parts, clock: x402.clock }).find(({ name }) => name === 'forget-signatures');
  const signal = new AbortController().signal;
  for (const [age, kept] of [
    [89, [1, 1]],
    [91, [0, 0]],
  ] as const) {
    for (const table of ['x402_authorization', 'x402_sign_in']) {
      await x402.nft.network.sql(`update ${table} set created_at = $1 where wallet_id = $2::uuid`, [
        days(age),
        payer.wallet.id,
      ]);
    }
    await forget?.run(signal);
    expect(await countRows()).toEqual(kept);
  }
});

test('nothing is signed while the network does not answer', async () => {
  const payer = await x402.payerWith(ONE);
  x402.proxy.decide = () => 'break';
  const { status, body } = await x402.ask(payer, [requirement()]);
  x402.proxy.decide = () => 'pass';
  expect([status, body.code]).toEqual([500, 'ChainUnavailable']);
});
