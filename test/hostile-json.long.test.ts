import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectOutcome, type HostileServer, startHostileServer, survive } from './support/hostile-feed.js';
import { hostileJson } from './support/hostile-json.js';
import { json } from './support/mini-app-zoo.js';
import { type Network, startNetwork } from './support/network.js';
import { seedBasics } from './support/seed.js';
import { approvedSigner, registerAccount } from './support/signer.js';

/** JSON of strangers' servers, through the operations that read it: actions, names, prices, manifests. */

const KIB = 1024;
const LARGE = 10_240 * KIB;
const FID = 7_001;
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

let network: Network;
let server: HostileServer;
/** Milliseconds that the service's clock is ahead. */
let ahead = 0;

beforeAll(async () => {
  server = await startHostileServer();
  const environment = {
    CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true',
    CASTELLAN_FNAME_REGISTRY_URL: server.url,
    CASTELLAN_PRICE_SOURCE: 'api',
    CASTELLAN_PRICE_API_URL: server.url,
    CASTELLAN_RPC_BASE: server.url,
  };
  network = await startNetwork(environment, undefined, { clock: () => Date.now() + ahead });
  await seedBasics((items) => network.load(items));
});
afterAll(async () => {
  await network.stop();
  await server.stop();
});

test('the answer of an app to an action', async () => {
  await registerAccount(network, FID);
  const { uuid } = await approvedSigner(network, FID);
  const act = () =>
    network.send('POST', '/v2/social/action/', { signer_uuid: uuid, base_url: server.url, action: { type: 'a' } });
  server.sound = (_, response) => json(response, { ok: true });
  const good = { ok: true, list: [{ id: 1, text: 'x' }] };
  const count = await survive(
    {
      serve: server.serve,
      read: async () => expectOutcome(await act(), [200, 'BadGateway']),
      recover: async () => expect(await act()).toMatchObject({ status: 200, body: { ok: true } }),
    },
    () => hostileJson(good, { sizes: [250 * KIB, LARGE] }),
  );
  expect(count).toBeGreaterThan(200);
}, 600_000);

test('the registry of names', async () => {
  const ask = (turn: number) => network.get(`/v2/social/fname/availability/?fname=x${turn}`);
  const transfer = {
    id: 1,
    timestamp: 1,
    username: 'x',
    owner: `0x${'11'.repeat(20)}`,
    from: 0,
    to: 7,
    server_signature: '0x11',
  };
  server.sound = (_, response) => json(response, { transfer });
  const count = await survive(
    {
      serve: server.serve,
      read: async (turn) => expectOutcome(await ask(turn), [200, 'NameRegistryUnavailable']),
      recover: async (turn) => expect((await ask(turn)).body).toEqual({ available: false }),
    },
    () => hostileJson({ transfer }, { sizes: [60 * KIB] }),
  );
  expect(count).toBeGreaterThan(200);
}, 600_000);

test('the price of a coin', async () => {
  const now = Math.floor(Date.now() / 1000);
  const good = {
    coins: { 'coingecko:ethereum': { decimals: 18, price: 3000.5, symbol: 'ETH', timestamp: now, confidence: 0.99 } },
  };
  const ask = () => {
    ahead += 60_001;
    return network.get(`/v2/onchain/token/metadata?network=base&address=${NATIVE}`);
  };
  server.sound = (_, response) => json(response, good);
  const count = await survive(
    {
      serve: server.serve,
      read: async () => {
        ahead = 0;
        expectOutcome(await ask(), [200]);
      },
      recover: async () => expect((await ask()).body.token).toMatchObject({ price_usd: '3000.5' }),
    },
    () => hostileJson(good, { sizes: [500 * KIB, LARGE], isLarge: (path) => path === '.coins' }),
  );
  expect(count).toBeGreaterThan(200);
}, 600_000);
