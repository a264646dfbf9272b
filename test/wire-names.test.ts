import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/api/operation-list.js';
import { WIRE_NAMES } from '../src/schema/wire-names.js';
import { type FakeModel, startFakeModel } from './support/fake-model.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, type Seeded } from './support/seed.js';
import { BIO, ecosystemPath, inEcosystem, namesIn, seedNames, TEXT } from './support/wire-names.js';
import { ecosystemRequests } from './support/wire-request.js';

let network: Network;
let model: FakeModel;
let seeded: Seeded;
let written: string;
beforeAll(async () => {
  model = await startFakeModel();
  network = await startNetwork({ CASTELLAN_SUMMARY_URL: model.url, CASTELLAN_SUMMARY_MODEL: 'small' });
  ({ seeded, written } = await seedNames(network));
  await network.send('POST', '/v2/social/ban/', { fids: [FIDS.frank] });
  await network.send('POST', '/v2/social/mute/', { fid: FIDS.dan, muted_fid: FIDS.erin });
});
afterAll(async () => {
  await network.stop();
  await model.stop();
});

/** Need a chain, a signer or a person's signature; their answers are errors here. */
const NEED_MORE: readonly string[] = [
  'fetch-authorization-url',
  'fetch-bulk-relevant-fungible-owners',
  'fetch-embedded-url-metadata',
  'fetch-fungible-trades',
  'fetch-fungibles',
  'fetch-nft-metadata',
  'fetch-relevant-fungible-owners',
  'fetch-signers',
  'fetch-subscribed-to-for-fid',
  'fetch-subscribers-for-fid',
  'fetch-subscriptions-for-fid',
  'fetch-trending-fungibles',
  'fetch-user-balance',
  'fetch-webhook-deliveries',
  'get-fresh-account-FID',
  'get-transaction-pay-frame',
  'lookup-developer-managed-auth-address',
  'lookup-developer-managed-signer',
  'lookup-signer',
  'lookup-webhook',
  'match-webhook',
  'simulate-nft-mint',
  'stream-events',
];

const twins = operations.filter(({ method, path }) => method === 'GET' && path.startsWith('/v2/social/'));

/** What differs from call to call, made alike: cursors say the time of the first page, nonces are drawn. */
const settled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      (name === 'cursor' || name === 'nonce') && typeof member === 'string' ? 'drawn' : settled(member),
    ]),
  );
};

const pathOf = (operation: { path: string }, query: string): string => {
  const path = operation.path.replace(':collection_id', 'none').replace(':token_id', '1');
  return query === '' ? path : `${path}?${query}`;
};

test('the list of requests names every operation', () => {
  expect(Object.keys(ecosystemRequests(seeded, written)).sort()).toEqual(twins.map(({ id }) => id).sort());
});

test('both paths of every operation answer the same, each in its names, whichever is asked first', async () => {
  const renamed = new Set<string>();
  const works = new Set<string>();
  const requests = ecosystemRequests(seeded, written);
  for (const operation of twins) {
    for (const query of requests[operation.id] as readonly string[]) {
      const path = pathOf(operation, query);
      // A cast that is shown again is taken from other bytes than at first, and a page from a kept list.
      for (const round of [0, 1, 2]) {
        const ask = [() => network.get(path), () => network.get(ecosystemPath(path))];
        if (round === 1) ask.reverse();
        const answers = [
          await (ask[0] as () => Promise<TestResponse>)(),
          await (ask[1] as () => Promise<TestResponse>)(),
        ];
        if (round === 1) answers.reverse();
        const [neutral, other] = answers as [TestResponse, TestResponse];
        expect([path, other.status]).toEqual([path, neutral.status]);
        expect([path, settled(other.body)]).toEqual([path, settled(inEcosystem(neutral.body))]);
        expect(other.headers.get('x-compute-units')).toBe(neutral.headers.get('x-compute-units'));
        if (namesIn(other.body).includes('neynar_user_score')) renamed.add(operation.id);
        if (neutral.status === 200) works.add(operation.id);
      }
    }
  }
  const others = twins.map(({ id }) => id).filter((id) => !works.has(id));
  expect(others.sort()).toEqual(NEED_MORE);
  expect(renamed.size).toBeGreaterThan(25);
});

test('texts that users wrote stay, whatever they say', async () => {
  const { body } = await network.get(`/v2/farcaster/cast/?type=hash&identifier=${written}`);
  expect(body.cast.text).toBe(TEXT);
  expect(body.cast.author.profile.bio.text).toBe(BIO);
  expect(body.cast.author.experimental).toEqual({
    deprecation_notice: expect.any(String),
    neynar_user_score: body.cast.author.score,
  });
});

test('a cursor of one path goes on at the other', async () => {
  const path = `/v2/social/feed/user/casts/?fid=${FIDS.alice}&limit=1`;
  const first = await network.get(path);
  const cursor = first.body.next.cursor as string;
  const [neutral, other] = [
    await network.get(`${path}&cursor=${cursor}`),
    await network.get(`${ecosystemPath(path)}&cursor=${cursor}`),
  ];
  expect(neutral.body.casts).toHaveLength(1);
  expect(other.body.casts).toEqual(inEcosystem(neutral.body.casts));
});

describe('the table', () => {
  test('every row is used: in a schema, or in a call that goes out', async () => {
    const { body } = await network.get('/openapi.json');
    const text = JSON.stringify(body);
    for (const row of WIRE_NAMES) {
      const used = text.includes(`"${row.neutral}"`);
      if ('outgoing' in row) expect([row.neutral, used]).toEqual([row.neutral, false]);
      else expect([row.neutral, used]).toEqual([row.neutral, true]);
    }
  });

  test('the page about it shows every row', async () => {
    const page = await readFile(new URL('../docs/wire-names.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| (?:member|header|constant) \| `(.+?)` \| `(.+?)` \|/gm)].map(
      ([, ...pair]) => pair,
    );
    expect(rows).toEqual(WIRE_NAMES.map(({ neutral, ecosystem }) => [neutral, ecosystem]));
  });

  test('no name occurs twice in the table', () => {
    const all = WIRE_NAMES.flatMap(({ neutral, ecosystem: other }) => [neutral, other] as string[]);
    expect(new Set(all).size).toBe(all.length);
  });

  test('the documents describe each in its own names, and refer to nothing that they lack', async () => {
    const documents = [
      await network.get('/openapi.json'),
      await network.get('/openapi.json?names=neutral'),
      await network.get('/openapi.json?names=ecosystem'),
    ].map(({ body }) => body);
    const [neutral, same, other] = documents;
    expect(same).toEqual(neutral);
    expect(Object.keys(other.paths)).toEqual(Object.keys(neutral.paths).map(ecosystemPath));
    expect(Object.keys(other.components.schemas)).toEqual(Object.keys(neutral.components.schemas));
    const shown = WIRE_NAMES.filter(({ neutral: name }) => JSON.stringify(neutral).includes(`"${name}"`));
    expect(shown.length).toBeGreaterThan(8);
    for (const { neutral: name, ecosystem: twin } of shown) {
      expect(JSON.stringify(other)).not.toContain(`"${name}"`);
      expect(JSON.stringify(other)).toContain(`"${twin}"`);
      expect(JSON.stringify(neutral)).not.toContain(`"${twin}"`);
    }
    for (const [, reference] of JSON.stringify(other).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      expect(other.components.schemas).toHaveProperty([reference as string]);
    }
    expect(await network.get('/openapi.json?names=theirs')).toMatchObject({ status: 400, body: { property: 'names' } });
  });
});
