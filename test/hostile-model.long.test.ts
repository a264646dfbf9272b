import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../src/access/key.js';
import { createModel } from '../src/model/client.js';
import { makeWallet } from '../src/onchain/transaction/wallet.js';
import { describeTopics } from '../src/topic/describe.js';
import { expectOutcome, type HostileServer, startHostileServer, survive } from './support/hostile-feed.js';
import { type HostileAnswer, hostileJson } from './support/hostile-json.js';
import { json } from './support/mini-app-zoo.js';
import { type Network, startNetwork } from './support/network.js';
import { type Seeded, seedBasics } from './support/seed.js';
import { newTopic } from './support/topic.js';

/** Answers of language and image models, and images of strangers. */

const KIB = 1024;
const MIB = 1024 * KIB;

let network: Network;
let server: HostileServer;
let seeded: Seeded;

beforeAll(async () => {
  server = await startHostileServer();
  network = await startNetwork({
    CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true',
    CASTELLAN_SUMMARY_URL: server.url,
    CASTELLAN_SUMMARY_MODEL: 'small',
    CASTELLAN_EMBEDDING_URL: server.url,
    CASTELLAN_EMBEDDING_MODEL: 'near',
    CASTELLAN_IMAGE_URL: `${server.url}/v1`,
    CASTELLAN_IMAGE_MODEL: 'plain',
    CASTELLAN_MEDIA_QUOTA_MB: '64',
  });
  seeded = await seedBasics((items) => network.load(items));
});
afterAll(async () => {
  await network.stop();
  await server.stop();
});

const completion = (content: string) => ({ id: 'c', choices: [{ index: 0, message: { role: 'assistant', content } }] });

test('a summary of a language model', async () => {
  const root = seeded.alice.cast({ text: 'Where to?' });
  await seeded.send(root, seeded.bob.cast({ text: 'Here.', parent: root }));
  const id = `0x${Buffer.from(root.hash).toString('hex')}`;
  const ask = (turn: number) => network.get(`/v2/social/cast/conversation/summary/?identifier=${id}&prompt=${turn}`);
  const good = completion('They plan a trip.');
  server.sound = (_, response) => json(response, good);
  const count = await survive(
    {
      serve: server.serve,
      read: async (turn) => expectOutcome(await ask(turn), [200, 'ModelFailed']),
      recover: async (turn) => expect((await ask(turn)).body.summary.text).toBe('They plan a trip.'),
    },
    () => hostileJson(good, { sizes: [60 * KIB, 10 * MIB] }),
  );
  expect(count).toBeGreaterThan(200);
}, 600_000);

test('descriptions of topics by a language model', async () => {
  const model = createModel({ url: server.url, name: 'small', key: undefined });
  const topics = [{ ...newTopic('match'), topLevelTopic: 'music' as const, texts: ['a text'] }];
  const describe = () => describeTopics(model, topics, { signal: new AbortController().signal, warn: () => undefined });
  const good = { topics: [{ id: 1, label: 'sports', summary: 'About a match.' }] };
  server.sound = (_, response) => json(response, completion(JSON.stringify(good)));
  function* answers(): Generator<HostileAnswer> {
    for (const { name, body } of hostileJson(good, { sizes: [2 * KIB] })) {
      yield { name, body: Buffer.from(JSON.stringify(completion(body.toString()))) };
    }
  }
  const count = await survive(
    {
      serve: server.serve,
      read: async () => {
        const [topic] = await describe();
        expect(['music', 'sports']).toContain(topic?.topLevelTopic);
        expect(['string', 'object']).toContain(typeof topic?.summary);
      },
      recover: async () => expect(await describe()).toMatchObject([{ topLevelTopic: 'sports' }]),
    },
    answers,
  );
  expect(count).toBeGreaterThan(200);
}, 600_000);

test('the vector of a search by an embedding model', async () => {
  const ask = (turn: number) => network.get(`/v2/social/cast/search/?q=a+place+${turn}&mode=semantic`);
  const vector = Array.from({ length: 384 }, (_, index) => Math.sin(index));
  const good = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: vector }], model: 'near' };
  server.sound = (_, response) => json(response, good);
  const count = await survive(
    {
      serve: server.serve,
      read: async (turn) => expectOutcome(await ask(turn), [200, 'ModelFailed']),
      recover: async (turn) => expect((await ask(turn)).status).toBe(200),
    },
    () => hostileJson(good, { sizes: [1900 * KIB, 10 * MIB] }),
  );
  expect(count).toBeGreaterThan(200);
}, 600_000);

test('an image of an image model', async () => {
  const { db } = network.app.core;
  const wallet = { organizationId: DEFAULT_ORGANIZATION_ID, name: 'test', now: new Date() };
  const { id } = await makeWallet(db, network.config.masterKey, wallet);
  const pixels = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#aa3311' } })
    .png()
    .toBuffer();
  const draw = () =>
    network.send('POST', '/v2/social/nft/image/', { prompt: 'x', width: 16, height: 16 }, { 'x-wallet-id': id });
  const good = { created: 1, data: [{ b64_json: pixels.toString('base64') }] };
  server.sound = (_, response) => json(response, good);
  const count = await survive(
    {
      serve: server.serve,
      read: async () => expectOutcome(await draw(), [200, 'ImageModelFailed', 'InvalidField']),
      recover: async () => expect((await draw()).status).toBe(200),
    },
    () => hostileJson(good, { sizes: [14 * MIB, 70 * MIB], isLarge: (path) => path.endsWith('b64_json') }),
  );
  expect(count).toBeGreaterThan(200);
}, 600_000);
