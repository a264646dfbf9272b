import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerLists, type CampaignNetwork, startCampaignNetwork } from './support/campaign.js';
import { hostileDocuments } from './support/hostile-document.js';
import { expectOutcome, type HostileServer, startHostileServer, survive } from './support/hostile-feed.js';
import { type HostileAnswer, hostileJson, sendHostile } from './support/hostile-json.js';
import { associate } from './support/mini-app.js';
import { json, miniApp, sound } from './support/mini-app-zoo.js';
import type { Network } from './support/network.js';
import { startReceiver } from './support/receiver.js';
import { seedBasics } from './support/seed.js';
import { approvedSigner, registerAccount } from './support/signer.js';

/** Manifests of mini apps, and answers of hosts to notifications. */

const KIB = 1024;
const CLIENT = 9_152;
const OWNER = 8_600;
const MANIFEST = '/.well-known/farcaster.json';

let world: CampaignNetwork;
let network: Network;
let server: HostileServer;
let account: Awaited<ReturnType<typeof registerAccount>>['account'];
/** Milliseconds that the service's clock is ahead. */
let ahead = 0;

beforeAll(async () => {
  server = await startHostileServer();
  world = await startCampaignNetwork(
    { CASTELLAN_CRAWL: '0' },
    { clock: () => Date.now() + ahead, timings: { campaignMs: 5 } },
  );
  network = world.network;
  await seedBasics((items) => network.load(items));
  account = (await registerAccount(network, OWNER)).account;
});
afterAll(async () => {
  await world.stop();
  await server.stop();
});

/** @returns a sound manifest, whose claim holds for each port of the host */
const manifest = async (more: object = {}) => {
  const origin = `http://localhost:${server.port}`;
  const claim = await associate(account, OWNER, 'localhost');
  const config = miniApp(origin, {
    webhookUrl: `${origin}/webhook`,
    tags: ['one'],
    requiredChains: ['eip155:1'],
    ...more,
  });
  return { accountAssociation: claim, miniapp: config };
};

test('the answer of a host to a notification', async () => {
  const lists = { successfulTokens: ['a'], invalidTokens: ['b'], rateLimitedTokens: ['c'] };
  /** To another account each time: one gets a limited number a day. */
  const publish = async (turn: number) => {
    await network.sql('delete from mini_app_token');
    await world.storeTokens(CLIENT, `${server.url}/notify`, [[50_000 + turn, 'a']]);
    ahead += 60_000;
    return world.publish();
  };
  server.sound = (_, response) => answerLists(response, lists);
  const count = await survive(
    {
      serve: server.serve,
      read: async (turn) => expectOutcome(await publish(turn), [200]),
      recover: async (turn) => expect((await publish(turn)).body.success_count).toBe(1),
    },
    () => hostileJson({ result: lists }, { sizes: [250 * KIB, 2000 * KIB] }),
  );
  expect(count).toBeGreaterThan(200);
}, 900_000);

test('the manifest of a mini app that gets an event', async () => {
  const good = await manifest();
  const { uuid } = await approvedSigner(network, OWNER);
  let answer: Parameters<HostileServer['serve']>[0];
  /** Each time at another port: what a domain says is cached. */
  const send = async (): Promise<void> => {
    const app = await startReceiver(({ path }, response) => {
      if (path !== MANIFEST) response.end();
      else if (answer === undefined) json(response, good);
      else sendHostile(response, answer);
    });
    const body = { app_domain: `localhost:${app.port}`, signer_uuid: uuid, fid: OWNER, event: 'frame_added' };
    try {
      const sent = await network.send('POST', '/v2/social/app_host/user/event/', body);
      expectOutcome(sent, [200, 'BadGateway', 'NotFound']);
      if (answer === undefined) expect(sent.status).toBe(200);
    } finally {
      await app.stop();
    }
  };
  const count = await survive(
    {
      serve: (next) => {
        answer = next;
      },
      read: send,
      recover: send,
    },
    () => hostileJson(good, { sizes: [125 * KIB, 2000 * KIB], isLarge: (path) => path.split('.').length === 2 }),
  );
  expect(count).toBeGreaterThan(200);
}, 900_000);

/** Has the catalog read a mini app whose server sends an answer at some of its paths. */
const surviveInCatalog = async (isHostile: (path: string) => boolean, answers: () => Iterable<HostileAnswer>) => {
  const good = await manifest();
  const domain = `localhost:${server.port}`;
  const read = async () => {
    await network.sql('delete from catalog_domain');
    await network.sql('insert into catalog_domain (domain, found_at, next_fetch_at) values ($1, now(), now())', [
      domain,
    ]);
    ahead += 60_000;
    await network.app.readMiniApps(new AbortController().signal);
    const [known] = await network.sql<{ fetched_at: Date | null; failure: string | null }>(
      'select fetched_at, failure from catalog_domain',
    );
    // What is wrong is always a fault of the mini app; one of the service would be tried again at once.
    expect(known?.fetched_at).not.toBeNull();
    const { status, body } = await network.get('/v2/social/frame/catalog/');
    expect(status).toBe(200);
    return { known, frames: body.frames as unknown[] };
  };
  const count = await survive(
    {
      serve: (answer) => {
        server.sound = (request, response) => {
          if (answer !== undefined && isHostile(request.path)) sendHostile(response, answer);
          else if (request.path === MANIFEST) json(response, good);
          else sound(request, response, `http://${domain}`);
        };
      },
      read: async () => void (await read()),
      recover: async () => expect(await read()).toMatchObject({ known: { failure: null } }),
    },
    answers,
  );
  expect(count).toBeGreaterThan(200);
};

test('the manifest of a mini app in the catalog', async () => {
  const good = await manifest();
  await surviveInCatalog(
    (path) => path === MANIFEST,
    () => hostileJson(good, { sizes: [125 * KIB, 600 * KIB], isLarge: (path) => path.split('.').length === 2 }),
  );
}, 900_000);

test('the icon and the home page of a mini app in the catalog', async () => {
  function* answers() {
    for (const { name, type, body } of hostileDocuments()) yield { name, body, headers: { 'content-type': type } };
  }
  await surviveInCatalog((path) => path !== MANIFEST, answers);
}, 900_000);
