import { FarcasterNetwork, MessageType, ReactionType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServer, type Server } from '../src/api/server.js';
import { signerKey } from '../src/sample/key.js';
import { derive } from '../src/sample/random.js';
import { signed } from '../src/sample/signed-message.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, SEED, type Seeded } from './support/seed.js';
import { ecosystemPath, inEcosystem, namesIn, seedNames, TEXT } from './support/wire-names.js';

/** Requests of a key to one operation in a minute. */
const ALLOWED = 30;
/** Where CASTELLAN_WIRE_NAMES is ecosystem. */
let network: Network;
/** The same service, were it neutral. */
let neutral: Server;
let seeded: Seeded;
let written: string;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_WIRE_NAMES: 'ecosystem', CASTELLAN_RATE_LIMIT_PER_MINUTE: String(ALLOWED) });
  ({ seeded, written } = await seedNames(network));
  neutral = buildServer({ ...network.app.services, dialect: 'neutral' });
  await neutral.fastify.ready();
});
afterAll(async () => {
  await neutral.stop();
  await network.stop();
});

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
const requestNeutral = async (url: string): Promise<unknown> =>
  (await neutral.fastify.inject({ url, headers: { 'x-api-key': network.apiKey } })).json();

test('the hub speaks as WIRE_NAMES says, and texts stay', async () => {
  const [fid, hash] = [FIDS.alice, hex(seeded.casts.hello.hash)];
  const paths = [
    `/v1/castsByFid?fid=${fid}`,
    `/v1/castById?fid=${fid}&hash=${hash}`,
    `/v1/castById?fid=${fid}&hash=${written}`,
    `/v1/reactionsByCast?target_fid=${fid}&target_hash=${hash}&reaction_type=1`,
    `/v1/userDataByFid?fid=${fid}`,
    `/v1/verificationsByFid?fid=${fid}`,
    '/v1/events?from_event_id=0',
    `/v1/onChainEventsByFid?fid=${fid}&event_type=EVENT_TYPE_SIGNER`,
  ];
  let constants = 0;
  for (const path of paths) {
    for (const _round of [0, 1]) {
      const [other, plain] = [await network.get(path), await requestNeutral(path)];
      expect([path, other.status]).toEqual([path, 200]);
      expect(other.body).toEqual(inEcosystem(plain));
      constants += JSON.stringify(other.body).split('"network":"FARCASTER_NETWORK_').length - 1;
      expect(JSON.stringify(plain)).not.toContain('FARCASTER_NETWORK_');
    }
  }
  expect(constants).toBeGreaterThan(20);
  const { body } = await network.get(`/v1/castById?fid=${fid}&hash=${written}`);
  expect(body.data.castAddBody.text).toBe(TEXT);
});

test('reactions have the type that hubs write, and are asked for in any spelling', async () => {
  const { dan, casts } = seeded;
  const none = signed(
    {
      type: MessageType.REACTION_ADD,
      fid: dan.fid,
      timestamp: seeded.clock.tick(),
      network: FarcasterNetwork.DEVNET,
      reactionBody: { type: ReactionType.NONE, targetCastId: { fid: FIDS.alice, hash: casts.hello.hash } },
    },
    signerKey(derive(SEED, 'signer', dan.fid, 0)),
  );
  const validated = await network.send('POST', '/v1/validateMessage', none.wire, {
    'content-type': 'application/octet-stream',
  });
  expect(validated.body.message.data.reactionBody.type).toBe('REACTION_TYPE_NONE');
  const target = `target_fid=${FIDS.alice}&target_hash=${hex(casts.hello.hash)}`;
  for (const [name, plain, number] of [
    ['REACTION_TYPE_LIKE', 'Like', 1],
    ['REACTION_TYPE_RECAST', 'Recast', 2],
  ] as const) {
    for (const asked of [name, plain, number]) {
      const path = `/v1/reactionsByCast?${target}&reaction_type=${asked}`;
      const { status, body } = await network.get(path);
      const types = (messages: { data: { reactionBody: { type: string } } }[]) =>
        new Set(messages.map(({ data }) => data.reactionBody.type));
      expect([asked, status, types(body.messages)]).toEqual([asked, 200, new Set([name])]);
      expect(types(((await requestNeutral(path)) as typeof body).messages)).toEqual(new Set([plain]));
    }
  }
});

test('the hub validates a message in the same names', async () => {
  const { wire } = seeded.casts.hello.item as { wire: Uint8Array };
  const headers = { 'x-api-key': network.apiKey, 'content-type': 'application/octet-stream' };
  const response = await fetch(`${network.url}/v1/validateMessage`, { method: 'POST', headers, body: wire });
  const plain = await neutral.fastify.inject({
    method: 'POST',
    url: '/v1/validateMessage',
    headers,
    payload: Buffer.from(wire),
  });
  const body = await response.json();
  expect(body).toMatchObject({ valid: true, message: { data: { network: 'FARCASTER_NETWORK_DEVNET' } } });
  expect(body).toEqual(inEcosystem(plain.json()));
});

test('the portal speaks as WIRE_NAMES says', async () => {
  const path = '/portal/organization/billing';
  const [other, plain] = [await network.get(path), await requestNeutral(path)];
  expect(namesIn(plain)).toContain('payment_customer_id');
  expect(namesIn(other.body)).toContain('stripe_customer_id');
  expect(namesIn(other.body)).toContain('workos_organization_id');
  expect(namesIn(other.body)).toEqual(namesIn(inEcosystem(plain)));
});

test('paths with two forms keep both', async () => {
  const path = `/v2/social/user/bulk/?fids=${FIDS.alice}`;
  const [one, other] = [await network.get(path), await network.get(ecosystemPath(path))];
  expect(namesIn(one.body)).toContain('service_user_score');
  expect(other.body).toEqual(inEcosystem(one.body));
});

test('both forms share one allowance', async () => {
  const paths = ['/v2/social/login/nonce/', '/v2/farcaster/login/nonce/'];
  const statuses: number[] = [];
  for (let at = 0; at <= ALLOWED; at++) statuses.push((await network.get(paths[at % 2] as string)).status);
  expect(statuses.slice(0, ALLOWED)).toEqual(Array(ALLOWED).fill(200));
  expect(statuses.at(-1)).toBe(429);
});
