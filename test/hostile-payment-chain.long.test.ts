import { toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectOutcome, survive } from './support/hostile-feed.js';
import { type HostileAnswer, hostileJson, sendHostile } from './support/hostile-json.js';
import { type PayEnvironment, SHOP, startPayEnvironment } from './support/pay.js';
import { type RpcProxy, startRpcProxy } from './support/rpc-proxy.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { deployToken, mintToken } from './support/token-environment.js';

/** Answers of an endpoint about payments, mints and balances. */

const KIB = 1024;
/** One try, so that a garbled answer is not asked for again. */
const ONE_TRY = { total: 199, each: 199, afterFailure: 199 };
const SIZES = { sizes: [500 * KIB, 4000 * KIB], isLarge: (path: string) => path === '.result' };

let proxy: RpcProxy;
let world: PayEnvironment;
let seeded: Seeded;

beforeAll(async () => {
  world = await startPayEnvironment(undefined, {
    urlOf: async ({ url }) => {
      proxy = await startRpcProxy(url);
      return proxy.url;
    },
    chainCalls: ONE_TRY,
  });
  seeded = await seedBasics((items) => world.network.load(items));
});
afterAll(async () => {
  await world.stop();
  await proxy.stop();
});
beforeEach(() => {
  proxy.decide = () => 'pass';
});

/** Makes the endpoint answer calls of one method so. */
const serveFor = (method: string) => (answer: HostileAnswer | undefined) => {
  proxy.decide = (request) =>
    answer !== undefined && request.method === method ? { send: (response) => sendHostile(response, answer) } : 'pass';
};

/** @returns what the chain answers to the last request of a method that some work made */
const soundAnswer = async (method: string, work: () => Promise<unknown>): Promise<object> => {
  proxy.forget();
  await expect
    .poll(async () => {
      await work();
      return proxy.count(method);
    })
    .toBeGreaterThan(0);
  const request = proxy.passed.filter((one) => one.method === method).at(-1);
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(world.chain.url, { method: 'POST', headers, body: JSON.stringify(request) });
  return (await reply.json()) as object;
};

/** Has a place read what the endpoint answers to a method. */
const surviveAll = async (
  method: string,
  { read, recover }: { readonly read: () => Promise<unknown>; readonly recover: () => Promise<unknown> },
): Promise<void> => {
  const good = await soundAnswer(method, recover);
  expect(good).toHaveProperty('result');
  const count = await survive(
    { serve: serveFor(method), read: async () => void (await read()), recover: async () => void (await recover()) },
    () => hostileJson(good, SIZES),
  );
  expect(count).toBeGreaterThan(100);
};

/** @returns the id of a new page; undefined if the endpoint does not say which block is the newest */
const newPage = async (): Promise<string | undefined> => {
  const created = await world.create();
  expectOutcome(created, [200, 'ChainUnavailable']);
  return created.body.transaction_frame?.id;
};

/** Pays as the page asks for. @returns what it says of the transaction */
const payAsAsked = async (): Promise<string | undefined> => {
  const id = await newPage();
  if (id === undefined) return undefined;
  const { to, data } = (await world.paymentOf(id)).transaction;
  const { chain } = world;
  const hash = await chain.wallet.sendTransaction({ account: chain.account(3), chain: chain.wallet.chain, to, data });
  await chain.receipt(hash);
  return (await world.report(id, hash)).body.status;
};

test.each(['eth_getTransactionReceipt', 'eth_getTransactionByHash', 'eth_blockNumber'])(
  '%s, for a payment',
  async (method) => {
    const hash = await world.transfer();
    await surviveAll(method, {
      // Each time for a new page: one that was paid asks no more.
      read: async () => {
        const id = await newPage();
        if (id === undefined) return;
        expectOutcome(await world.report(id, hash), [200, 'ChainUnavailable', 'InvalidField']);
        expect(['created', 'completed']).toContain(await world.statusOf(id));
      },
      recover: () => expect.poll(payAsAsked).toBe('completed'),
    });
  },
  900_000,
);

test.each(['eth_getCode', 'eth_call', 'eth_getStorageAt', 'eth_simulateV1'])(
  '%s, for the simulation of a mint',
  async (method) => {
    const query = new URLSearchParams({
      nft_contract_address: world.token,
      network: 'base',
      recipients: JSON.stringify([{ address: SHOP, quantity: 2 }]),
    });
    const simulate = () => world.network.get(`/v2/social/nft/mint/?${query}`);
    await surviveAll(method, {
      read: async () => expectOutcome(await simulate(), [200, 'ChainUnavailable', 'NotFound', 'InvalidField']),
      recover: () => expect.poll(async () => (await simulate()).body[0]?.function_name).toBe('mint'),
    });
  },
  900_000,
);

test('eth_call, for the balances of a user', async () => {
  const token = await deployToken(world.chain, 'Another', 'TWO', 6);
  const address = toHex(seeded.alice.wallet(1).address);
  await mintToken(world.chain, token, address, 5n);
  const ask = () => world.network.get(`/v2/social/user/balance/?fid=${FIDS.alice}&networks=base`);
  await surviveAll('eth_call', {
    read: async () => {
      world.later(60_001);
      expectOutcome(await ask(), [200, 'ChainUnavailable']);
    },
    recover: () =>
      expect
        .poll(async () => {
          world.later(60_001);
          return (await ask()).status;
        })
        .toBe(200),
  });
}, 900_000);
