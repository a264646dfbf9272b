import type { Address } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectOutcome, type HostileServer, startHostileServer, survive } from './support/hostile-feed.js';
import { type HostileAnswer, hostileJson, sendHostile } from './support/hostile-json.js';
import { json } from './support/mini-app-zoo.js';
import { FIDS } from './support/seed.js';
import { type StpEnvironment, startStpEnvironment } from './support/stp.js';
import { deployToken } from './support/token-environment.js';

/** Answers of an endpoint of a chain, and the metadata that a contract names. */

const KIB = 1024;
/** One try, so that a garbled answer is not asked for again. */
const ONE_TRY = { total: 199, each: 199, afterFailure: 199 };

let world: StpEnvironment;
let server: HostileServer;
let contract: Address;
let token: Address;

beforeAll(async () => {
  server = await startHostileServer();
  server.sound = (_, response) => json(response, ART);
  world = await startStpEnvironment({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true', CASTELLAN_CRAWL: '1' }, ONE_TRY);
  const owner = world.custody('alice');
  token = await deployToken(world.chain, 'A token', 'TKN');
  contract = await world.factories.deployV1({ name: 'Alice Club', symbol: 'CLUB', uri: `${server.url}/club`, owner });
});
afterAll(async () => {
  await world.stop();
  await server.stop();
});

beforeEach(() => {
  world.proxy.decide = () => 'pass';
});

const ART = { name: 'x', description: 'y', image: 'https://pictures.example/a.png' };

const created = async (): Promise<unknown[]> => {
  const path = `/v2/social/user/subscriptions_created/?fid=${FIDS.alice}&subscription_provider=stp`;
  const { status, body } = await world.network.get(path);
  expectOutcome({ status, body } as never, [200, 'ChainUnavailable']);
  return body.subscriptions_created ?? [];
};
const metadata = () => world.network.get(`/v2/onchain/token/metadata?network=base&address=${token}`);

/** Makes the endpoint answer calls of one method so. */
const serveFor = (method: string) => (answer: HostileAnswer | undefined) => {
  world.proxy.decide = (request) =>
    answer !== undefined && request.method === method ? { send: (response) => sendHostile(response, answer) } : 'pass';
};

/** Does something until the endpoint was asked for this. */
const expectAsked = async (method: string, work: () => Promise<unknown>): Promise<void> => {
  world.proxy.forget();
  await expect
    .poll(async () => {
      await work();
      return world.proxy.count(method);
    })
    .toBeGreaterThan(0);
};

/** @returns what the chain answers to a request that it got before */
const soundAnswer = async (method: string): Promise<object> => {
  const request = world.proxy.passed.find((one) => one.method === method);
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(world.chain.url, { method: 'POST', headers, body: JSON.stringify(request) });
  return (await reply.json()) as object;
};

test.each(['eth_blockNumber', 'eth_getBlockByNumber', 'eth_getLogs', 'eth_call'])(
  '%s, for the index of subscription contracts',
  async (method) => {
    await expectAsked(method, () => world.index());
    const good = await soundAnswer(method);
    expect(good).toHaveProperty('result');
    const count = await survive(
      {
        serve: serveFor(method),
        read: async () => {
          await world.index();
          await created();
        },
        recover: () =>
          expect
            .poll(async () => {
              await world.index();
              return created();
            })
            .toMatchObject([{ subscriptions_created: [{ contract_address: contract }] }]),
      },
      () => hostileJson(good, { sizes: [500 * KIB, 4000 * KIB], isLarge: (path) => path === '.result' }),
    );
    expect(count).toBeGreaterThan(100);
  },
  900_000,
);

test('eth_call, for a token', async () => {
  await expectAsked('eth_call', metadata);
  const good = await soundAnswer('eth_call');
  const count = await survive(
    {
      serve: serveFor('eth_call'),
      read: async () => expectOutcome(await metadata(), [200, 'ChainUnavailable', 'NotFound']),
      recover: () => expect.poll(async () => (await metadata()).body.token?.symbol).toBe('TKN'),
    },
    () => hostileJson(good, { sizes: [500 * KIB, 4000 * KIB], isLarge: (path) => path === '.result' }),
  );
  expect(count).toBeGreaterThan(100);
}, 900_000);

test('the metadata of a contract', async () => {
  const reread = async (): Promise<void> => {
    world.later(8 * 86_400_000);
    await world.index();
  };
  const count = await survive(
    {
      serve: server.serve,
      read: async () => {
        await reread();
        expect(await created()).toHaveLength(1);
      },
      recover: async () => {
        await reread();
        expect(await created()).toMatchObject([
          { subscriptions_created: [{ metadata: { art_url: 'https://pictures.example/a.png' } }] },
        ]);
      },
    },
    () => hostileJson(ART, { sizes: [250 * KIB] }),
  );
  expect(count).toBeGreaterThan(100);
}, 900_000);
