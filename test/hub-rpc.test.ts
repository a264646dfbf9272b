import { Message, ReactionType, UserDataType } from '@farcaster/core';
import { HubServiceService } from '@farcaster/hub-nodejs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RPCS, UNAVAILABLE_RPCS } from '../src/api/grpc/rpc-list.js';
import { toHex } from '../src/hex.js';
import { readMessagePage } from '../src/ingest/wire.js';
import { hubEventToJson } from '../src/protocol/hub-json/event.js';
import { messageToJson } from '../src/protocol/hub-json/message.js';
import { onChainEventToJson } from '../src/protocol/hub-json/onchain.js';
import { usernameProofToJson } from '../src/protocol/hub-json/proof.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { decodeMessage } from '../src/protocol/wire/decode.js';
import { decodeEnvelope, envelopeFromMessage } from '../src/protocol/wire/envelope.js';
import { author } from '../src/sample/author.js';
import { DAY } from '../src/sample/clock.js';
import { RpcClient } from './support/hub-rpc.js';
import { type Network, startNetwork } from './support/network.js';
import { CHANNEL_URL, FIDS, SEED, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
let client: RpcClient;
beforeAll(async () => {
  network = await startNetwork({}, undefined, { hubRpc: {} });
  seeded = await seedBasics(async (items) => {
    const options = { source: 'hub', announce: true } as const;
    expect((await network.app.core.ingest.submit(items, options)).invalid).toEqual({});
    // Storage lasts a year: the seed must not be older than that.
  }, fromUnixMs(Date.now()) - DAY);
  const { alice, bob, casts, send } = seeded;
  await send(
    alice.compactLinks('follow', [FIDS.bob]),
    bob.react('recast', CHANNEL_URL),
    bob.unlink('block', FIDS.frank),
    alice.link('muses', FIDS.dan),
    ...Array.from({ length: 12 }, (_, n) => alice.cast({ text: `number ${n}`, parent: casts.hello })),
  );
  client = new RpcClient(network.hubRpc, { 'x-api-key': network.apiKey });
});
afterAll(async () => {
  client.close();
  await network.stop();
});

test('each call of the service is answered, or says why not', () => {
  const names = [...RPCS.map(({ name }) => name), ...Object.keys(UNAVAILABLE_RPCS), 'subscribe'];
  expect(names.toSorted()).toEqual(Object.keys(HubServiceService).sort());
});

/** A list over gRPC, and the same over HTTP. */
interface Pair {
  readonly name: string;
  readonly request: object;
  readonly path: string;
}

const page = fc.record(
  { pageSize: fc.integer({ min: 1, max: 7 }), reverse: fc.boolean(), pages: fc.integer({ min: 0, max: 3 }) },
  { requiredKeys: ['pages'] },
);

const lists = (): fc.Arbitrary<Pair> => {
  const { casts } = seeded;
  const someFid = fc.constantFrom(...Object.values(FIDS), 4_711);
  const someCast = fc.constantFrom(...Object.values(casts));
  const of = (name: string, path: string) =>
    someFid.map((fid) => ({ name, request: { fid }, path: `${path}?fid=${fid}` }));
  const types = fc.constantFrom(ReactionType.LIKE, ReactionType.RECAST);
  const linkTypes = fc.constantFrom('follow', 'block');
  return fc.oneof(
    of('getCastsByFid', 'castsByFid'),
    of('getCastsByMention', 'castsByMention'),
    of('getUserDataByFid', 'userDataByFid'),
    of('getVerificationsByFid', 'verificationsByFid'),
    fc.tuple(someFid, types).map(([fid, reactionType]) => ({
      name: 'getReactionsByFid',
      request: { fid, reactionType },
      path: `reactionsByFid?fid=${fid}&reaction_type=${reactionType}`,
    })),
    fc.tuple(someCast, types).map(([{ fid, hash }, reactionType]) => ({
      name: 'getReactionsByCast',
      request: { targetCastId: { fid, hash }, reactionType },
      path: `reactionsByCast?target_fid=${fid}&target_hash=${toHex(hash)}&reaction_type=${reactionType}`,
    })),
    types.map((reactionType) => ({
      name: 'getReactionsByTarget',
      request: { targetUrl: CHANNEL_URL, reactionType },
      path: `reactionsByTarget?url=${encodeURIComponent(CHANNEL_URL)}&reaction_type=${reactionType}`,
    })),
    someCast.map(({ fid, hash }) => ({
      name: 'getCastsByParent',
      request: { parentCastId: { fid, hash } },
      path: `castsByParent?fid=${fid}&hash=${toHex(hash)}`,
    })),
    fc.constant({
      name: 'getCastsByParent',
      request: { parentUrl: CHANNEL_URL },
      path: `castsByParent?url=${encodeURIComponent(CHANNEL_URL)}`,
    }),
    fc.tuple(someFid, linkTypes).map(([fid, linkType]) => ({
      name: 'getLinksByFid',
      request: { fid, linkType },
      path: `linksByFid?fid=${fid}&link_type=${linkType}`,
    })),
    fc.tuple(someFid, linkTypes).map(([targetFid, linkType]) => ({
      name: 'getLinksByTarget',
      request: { targetFid, linkType },
      path: `linksByTargetFid?target_fid=${targetFid}&link_type=${linkType}`,
    })),
  );
};

const jsonOf = (wire: Uint8Array): unknown =>
  JSON.parse(JSON.stringify(messageToJson(decodeMessage(decodeEnvelope(wire)))));

test('500 random requests for lists find what they find over HTTP', async () => {
  let [compared, filled, further] = [0, 0, 0];
  for (const [{ name, request, path }, { pages, ...options }] of fc.sample(fc.tuple(lists(), page), 500)) {
    let token = '';
    for (let turn = 0; turn <= pages; turn++) {
      const asked = { ...request, ...options, pageToken: Buffer.from(token, 'base64') };
      const { bytes } = await client.call(name as 'getCastsByFid', asked as never);
      const more = new URLSearchParams({ pageToken: token });
      for (const [key, value] of Object.entries(options)) more.set(key, String(value));
      const { body } = await network.get(`/v1/${path}&${more}`);
      const { messages, nextPageToken } = readMessagePage(bytes as Buffer);
      expect({ name, asked, messages: messages.map(jsonOf) }).toEqual({ name, asked, messages: body.messages });
      token = Buffer.from(nextPageToken).toString('base64');
      expect(token).toBe(body.nextPageToken);
      compared++;
      if (messages.length > 0) filled++;
      if (turn > 0) further++;
      if (token === '') break;
    }
  }
  expect(compared).toBeGreaterThanOrEqual(500);
  expect(filled).toBeGreaterThan(150);
  expect(further).toBeGreaterThan(30);
}, 60_000);

test('single messages, names, chain events and limits are those of HTTP', async () => {
  const { alice, bob, carol, casts } = seeded;
  const { fid, hash } = casts.hello;
  const read = async (path: string) => (await network.get(`/v1/${path}`)).body;
  const single = async (name: 'getCast', request: object): Promise<unknown> =>
    jsonOf((await client.call(name, request as never)).bytes as Buffer);
  expect(await single('getCast', { fid, hash })).toEqual(await read(`castById?fid=${fid}&hash=${toHex(hash)}`));
  const reaction = { fid: FIDS.carol, reactionType: ReactionType.LIKE, targetCastId: { fid, hash } };
  const reactionPath = `reactionById?fid=${FIDS.carol}&reaction_type=1&target_fid=${fid}&target_hash=${toHex(hash)}`;
  expect(await single('getReaction' as 'getCast', reaction)).toEqual(await read(reactionPath));
  const link = { fid: FIDS.bob, targetFid: FIDS.alice, linkType: 'follow' };
  expect(await single('getLink' as 'getCast', link)).toEqual(
    await read(`linkById?fid=${FIDS.bob}&target_fid=${FIDS.alice}&link_type=follow`),
  );
  expect(await single('getUserData' as 'getCast', { fid, userDataType: UserDataType.BIO })).toEqual(
    await read(`userDataByFid?fid=${fid}&user_data_type=USER_DATA_TYPE_BIO`),
  );
  const address = alice.wallet(1).address;
  const { messages } = await read(`verificationsByFid?fid=${fid}&address=${toHex(address)}`);
  expect([await single('getVerification' as 'getCast', { fid, address })]).toEqual(messages);

  const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  const proof = (await client.call('getUsernameProof', { name: Buffer.from('alice') })).response;
  expect(asJson(usernameProofToJson(proof as never))).toEqual(await read('userNameProofByName?name=alice'));
  const { proofs } = (await client.call('getUserNameProofsByFid', { fid })).response as { proofs: never[] };
  expect({ proofs: asJson(proofs.map(usernameProofToJson)) }).toEqual(await read(`userNameProofsByFid?fid=${fid}`));
  for (const eventType of [1, 3, 4] as const) {
    const { events } = (await client.call('getOnChainEvents', { fid, eventType })).response as { events: never[] };
    expect(events.length).toBeGreaterThan(0);
    const { body } = await network.get(`/v1/onChainEventsByFid?fid=${fid}&event_type=${eventType}`);
    expect({ events: asJson(events.map(onChainEventToJson)) }).toEqual(body);
  }
  const signer = (await client.call('getOnChainSigner', { fid: bob.fid, signer: bob.signer })).response;
  expect(asJson(onChainEventToJson(signer as never))).toEqual(
    await read(`onChainSignersByFid?fid=${bob.fid}&signer=${toHex(bob.signer)}`),
  );
  const signers = (await client.call('getOnChainSignersByFid', { fid })).response as { events: never[] };
  expect({ events: asJson(signers.events.map(onChainEventToJson)) }).toEqual(
    await read(`onChainSignersByFid?fid=${fid}`),
  );
  const custody = carol.custody.address;
  const byAddress = (await client.call('getIdRegistryOnChainEventByAddress', { address: custody })).response;
  expect(asJson(onChainEventToJson(byAddress as never))).toEqual(
    await read(`onChainIdRegistryEventByAddress?address=${toHex(custody)}`),
  );
  expect((await client.call('getIdRegistryOnChainEvent', { fid: carol.fid })).response).toEqual(byAddress);
  expect((await client.call('getSigner', { fid: bob.fid, signer: bob.signer })).response).toMatchObject({
    signer: { fid: bob.fid, source: 1, onchainEvent: { fid: bob.fid } },
  });
  expect((await client.call('getSignersByFid', { fid, requesterFids: [7] })).response).toMatchObject({
    signers: [{ fid }],
    gaslessSignerCount: 0,
    gaslessSignerLimit: 1000,
    requesterFidNonces: { 7: 0 },
  });
  expect((await client.call('getFidAddressType', { fid, address })).response).toEqual({
    isCustody: false,
    isAuth: false,
    isVerified: true,
  });
  const limits = (await client.call('getCurrentStorageLimitsByFid', { fid })).response;
  const http = await read(`storageLimitsByFid?fid=${fid}`);
  expect(limits?.units).toBe(http.units);
  for (const [index, { name, limit, used }] of http.limits.entries()) {
    expect(limits?.limits[index]).toMatchObject({ name, limit, ...(name === 'LINKS' ? {} : { used }) });
  }
  expect(limits?.limits.map(({ storeType }) => storeType)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  const { fids } = (await client.call('getFids', { shardId: 1 })).response as { fids: number[] };
  expect(fids).toEqual((await read('fids?shard_id=1')).fids);
});

test('events are those of HTTP, with the place where they happened', async () => {
  // The contract does not describe events of all kinds of messages.
  const answer = await fetch(`${network.url}/v1/events?pageSize=1000`, { headers: { 'x-api-key': network.apiKey } });
  const { events } = (await answer.json()) as { events: { id: number }[] };
  const { response } = await client.call('getEvents', { startId: 0 });
  const bare = response?.events.map((event) => JSON.parse(JSON.stringify(hubEventToJson(event))));
  expect(bare).toEqual(events);
  expect(new Set(response?.events.map(({ shardIndex }) => shardIndex))).toEqual(new Set([1]));
  expect(Math.min(...(response?.events ?? []).map(({ timestamp }) => timestamp))).toBeGreaterThan(0);
  const [first, second, third] = events as [{ id: number }, { id: number }, { id: number }];
  const firstPage = (await client.call('getEvents', { startId: 0, pageSize: 2 })).response;
  expect(firstPage?.events.map(({ id }) => id)).toEqual([first.id, second.id]);
  const next = { startId: 0, pageSize: 1, pageToken: firstPage?.nextPageToken as Uint8Array };
  expect((await client.call('getEvents', next)).response?.events.map(({ id }) => id)).toEqual([third.id]);
  const back = (await client.call('getEvents', { startId: 0, stopId: third.id, reverse: true, pageSize: 1 })).response;
  expect(back?.events.map(({ id }) => id)).toEqual([second.id]);
  const last = { startId: 0, stopId: third.id, reverse: true, pageToken: back?.nextPageToken as Uint8Array };
  const rest = (await client.call('getEvents', last)).response;
  expect(rest?.events.map(({ id }) => id)).toEqual([first.id]);
  expect(rest?.nextPageToken).toBeUndefined();
  expect((await client.call('getEvent', { id: second.id, shardIndex: 1 })).response).toEqual(response?.events[1]);
});

test('lists of all messages have those that add and those that remove, by time, each once', async () => {
  const { alice, casts, carol, bob } = seeded;
  const hashesOf = async (name: 'getAllCastMessagesByFid', request: object): Promise<string[]> => {
    const found: string[] = [];
    let pageToken: Uint8Array | undefined;
    do {
      const { response } = await client.call(name, { ...request, pageSize: 2, pageToken } as never);
      found.push(...(response?.messages ?? []).map(({ hash }) => toHex(hash)));
      pageToken = response?.nextPageToken;
    } while (pageToken);
    return found;
  };
  const stored = await network.sql<{ hash: Buffer }>(
    'select hash from message where fid = $1 and message_set = 1 order by ts, hash',
    [alice.fid],
  );
  const all = stored.map(({ hash }) => toHex(hash));
  expect(all.length).toBeGreaterThan(12);
  expect(await hashesOf('getAllCastMessagesByFid', { fid: alice.fid })).toEqual(all);
  expect(await hashesOf('getAllCastMessagesByFid', { fid: alice.fid, reverse: true })).toEqual(all.toReversed());
  expect(all).not.toContain(toHex(casts.removed.hash));
  const { timestamp } = casts.hello;
  const same = { startTimestamp: timestamp, stopTimestamp: timestamp };
  expect(await hashesOf('getAllCastMessagesByFid', { fid: alice.fid, ...same })).toEqual([toHex(casts.hello.hash)]);
  const links = await client.call('getAllLinkMessagesByFid', { fid: carol.fid });
  expect(links.response?.messages.map(({ data }) => data?.type).sort()).toEqual([5, 6]);
  const reactions = await client.call('getAllReactionMessagesByFid', { fid: bob.fid });
  expect(reactions.response?.messages.map(({ data }) => data?.type)).toContain(4);
  const state = await client.call('getLinkCompactStateMessageByFid', { fid: alice.fid });
  expect(state.response?.messages.map(({ data }) => data?.linkCompactStateBody?.targetFids)).toEqual([[FIDS.bob]]);
  const mused = await client.call('getLinksByFid', { fid: alice.fid, linkType: 'muses' });
  expect(mused.response?.messages.map(({ data }) => data?.linkBody?.targetFid)).toEqual([FIDS.dan]);
  expect((await client.call('getLinksByFid', { fid: alice.fid, linkType: 'other' })).response?.messages).toEqual([]);
});

test('a message is sent in the form in which it came', async () => {
  const { casts, heidi, clock } = seeded;
  const { fid, hash, wire } = casts.hello;
  const bytes = (await client.call('getCast', { fid, hash })).response as Message;
  const original = Message.decode(wire);
  expect(original.dataBytes).toBeDefined();
  expect(toHex(bytes.dataBytes as Uint8Array)).toBe(toHex(original.dataBytes as Uint8Array));
  expect(bytes.data).toBeDefined();
  expect(toHex(envelopeFromMessage(bytes).hash)).toBe(toHex(hash));
  const { wire: plain, hash: link } = author({ seed: SEED, fid: heidi.fid, clock, dataForm: 'data' }).follow(FIDS.dan);
  expect(Message.decode(plain).dataBytes).toBeUndefined();
  const submitted = await client.call('submitMessage', Buffer.from(plain));
  expect([submitted.status, submitted.details]).toEqual(['OK', 'OK']);
  expect(submitted.bytes?.equals(plain)).toBe(true);
  const read = await client.call('getLink', { fid: heidi.fid, linkType: 'follow', targetFid: FIDS.dan });
  expect(read.bytes?.equals(plain)).toBe(true);
  expect(toHex((read.response as Message).hash)).toBe(toHex(link));
  const { events } = (await client.call('getEvents', { startId: 0, reverse: true, pageSize: 1 })).response as never as {
    events: { mergeMessageBody: { message: Message } }[];
  };
  expect(Buffer.from(Message.encode(events[0]?.mergeMessageBody.message as Message).finish()).equals(plain)).toBe(true);
});
