import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { DAY } from '../src/sample/clock.js';
import { RpcClient } from './support/hub-rpc.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
let client: RpcClient;
beforeAll(async () => {
  network = await startNetwork({}, undefined, { hubRpc: {} });
  seeded = await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY);
  client = new RpcClient(network.hubRpc, { 'x-api-key': network.apiKey });
});
afterAll(async () => {
  client.close();
  await network.stop();
});

type Name = Parameters<RpcClient['call']>[0];
type Border = readonly [Name, object | Buffer, status: string, details?: RegExp];

const HASH = new Uint8Array(20).fill(7);
const CAST = { fid: FIDS.alice, hash: HASH };
const fid = FIDS.alice;

/** Statuses are those of snapchain 0.14.2, unless the comment says why not. */
const BORDERS: readonly Border[] = [
  ['getCast', { fid, hash: HASH }, 'NOT_FOUND'],
  ['getCast', { fid, hash: new Uint8Array() }, 'NOT_FOUND'],
  ['getCast', { fid, hash: new Uint8Array(21) }, 'NOT_FOUND'],
  ['getCast', { fid: 4_711, hash: HASH }, 'NOT_FOUND'],
  // Hubs answer INTERNAL, which blames the service.
  ['getCast', { fid: 0, hash: HASH }, 'INVALID_ARGUMENT', /^bad_request\.invalid_param\/fid is required$/],
  ['getCastsByFid', { fid: 0 }, 'OK'],
  ['getCastsByFid', { fid: 4_711 }, 'OK'],
  // Hubs look for the account 1 instead: they cut numbers to 32 bits.
  ['getCastsByFid', { fid: 2 ** 32 + 1 }, 'OK'],
  ['getCastsByFid', { fid, pageSize: 0 }, 'OK'],
  ['getCastsByFid', { fid, pageSize: 4_294_967_295 }, 'OK'],
  ['getCastsByFid', { fid, pageToken: new Uint8Array() }, 'OK'],
  // Hubs take any bytes for a place in their database.
  ['getCastsByFid', { fid, pageToken: Buffer.from('garbage') }, 'INVALID_ARGUMENT', /pageToken/],
  ['getCastsByParent', {}, 'NOT_FOUND', /Parent not specified/],
  ['getCastsByParent', { parentCastId: CAST }, 'OK'],
  ['getCastsByParent', { parentUrl: '' }, 'OK'],
  ['getCastsByMention', { fid: 0 }, 'OK'],
  ['getReaction', { fid, reactionType: 1, targetCastId: CAST }, 'NOT_FOUND'],
  ['getReaction', { fid, reactionType: 1 }, 'NOT_FOUND'],
  ['getReaction', { fid, reactionType: 99, targetCastId: CAST }, 'NOT_FOUND'],
  ['getReaction', { fid: 0, reactionType: 1, targetCastId: CAST }, 'INVALID_ARGUMENT', /fid is required/],
  ['getReactionsByFid', { fid }, 'OK'],
  ['getReactionsByFid', { fid, reactionType: 0 }, 'OK'],
  ['getReactionsByFid', { fid, reactionType: 99 as never }, 'OK'],
  ['getReactionsByCast', { targetCastId: CAST }, 'INVALID_ARGUMENT', /reaction_type is required/],
  ['getReactionsByCast', { targetCastId: CAST, reactionType: 0 }, 'OK'],
  ['getReactionsByCast', { targetUrl: 'https://example.org', reactionType: 1 }, 'NOT_FOUND', /Target not specified/],
  ['getReactionsByTarget', {}, 'NOT_FOUND', /Target not specified/],
  ['getReactionsByTarget', { targetUrl: 'https://example.org' }, 'OK'],
  ['getLink', { fid, linkType: 'follow' }, 'NOT_FOUND'],
  ['getLink', { fid, linkType: 'follow', targetFid: 4_711 }, 'NOT_FOUND'],
  ['getLink', { fid, linkType: 'longer than eight', targetFid: 3 }, 'NOT_FOUND'],
  ['getLinksByFid', { fid, linkType: '' }, 'OK'],
  ['getLinksByTarget', { targetFid: fid }, 'INVALID_ARGUMENT', /link_type is required/],
  ['getLinksByTarget', { linkType: 'follow' }, 'NOT_FOUND', /Target not specified/],
  ['getLinksByTarget', { linkType: '', targetFid: fid }, 'OK'],
  ['getUserData', { fid, userDataType: 99 as never }, 'INVALID_ARGUMENT', /Invalid user data type/],
  ['getUserData', { fid, userDataType: 4 as never }, 'INVALID_ARGUMENT', /Invalid user data type/],
  ['getUserData', { fid, userDataType: 5 }, 'NOT_FOUND'],
  ['getUserData', { fid: 0, userDataType: 1 }, 'NOT_FOUND'],
  ['getVerification', { fid, address: new Uint8Array() }, 'NOT_FOUND'],
  ['getVerification', { fid, address: new Uint8Array(20) }, 'NOT_FOUND'],
  ['getUsernameProof', { name: Buffer.from('nobody') }, 'NOT_FOUND', /Username proof not found/],
  ['getUsernameProof', { name: new Uint8Array() }, 'NOT_FOUND'],
  ['getUsernameProof', { name: Uint8Array.of(0xff, 0xfe) }, 'NOT_FOUND'],
  ['getUsernameProof', { name: Uint8Array.of(0x61, 0) }, 'NOT_FOUND'],
  ['getUserNameProofsByFid', { fid: 0 }, 'OK'],
  ['getOnChainEvents', { fid, eventType: 99 as never }, 'INVALID_ARGUMENT', /Invalid event type/],
  ['getOnChainEvents', { fid, eventType: 0 }, 'OK'],
  ['getOnChainSigner', { fid, signer: new Uint8Array() }, 'NOT_FOUND', /Active signer not found/],
  ['getOnChainSigner', { fid, signer: new Uint8Array(32) }, 'NOT_FOUND', /Active signer not found/],
  ['getOnChainSignersByFid', { fid: 0 }, 'OK'],
  ['getSigner', { fid, signer: new Uint8Array(31) }, 'INVALID_ARGUMENT', /32 bytes, not 31/],
  ['getSigner', { fid, signer: new Uint8Array(32) }, 'NOT_FOUND', /Active signer not found/],
  ['getSignersByFid', { fid: 0 }, 'OK'],
  ['getSignersByFid', { fid, pageToken: Buffer.from('garbage') }, 'INVALID_ARGUMENT', /pageToken/],
  ['getIdRegistryOnChainEvent', { fid: 4_711 }, 'NOT_FOUND', /ID registry event not found/],
  ['getIdRegistryOnChainEvent', { fid: 0 }, 'NOT_FOUND'],
  ['getIdRegistryOnChainEventByAddress', { address: new Uint8Array(20) }, 'NOT_FOUND', /no id-registry event/],
  ['getIdRegistryOnChainEventByAddress', { address: new Uint8Array() }, 'NOT_FOUND'],
  ['getFidAddressType', { fid: 0, address: new Uint8Array() }, 'OK'],
  ['getCurrentStorageLimitsByFid', { fid: 0 }, 'OK'],
  ['getFids', { shardId: 2 }, 'INVALID_ARGUMENT', /no shard store for fid/],
  // Clients that are older than shards send none.
  ['getFids', { shardId: 0 }, 'OK'],
  ['getFids', { shardId: 1, pageToken: Buffer.from('garbage') }, 'INVALID_ARGUMENT', /pageToken/],
  // Hubs answer INTERNAL, with the same words.
  ['getEvent', { id: 4_711, shardIndex: 1 }, 'NOT_FOUND', /Event not found/],
  ['getEvent', { id: 1, shardIndex: 9 }, 'INVALID_ARGUMENT'],
  ['getEvents', { startId: 9, stopId: 3 }, 'OK'],
  ['getEvents', { startId: 0, shardIndex: 9 }, 'INVALID_ARGUMENT', /Shard not found/],
  ['getEvents', { startId: 0, pageToken: Buffer.from('garbage') }, 'INVALID_ARGUMENT', /Invalid page token/],
  ['submitMessage', Buffer.alloc(0), 'INVALID_ARGUMENT', /^bad_request\.parse_failure\//],
  ['submitMessage', Buffer.from('garbage'), 'INVALID_ARGUMENT'],
  ['submitBulkMessages', {}, 'OK'],
  ['getConnectedPeers', Buffer.alloc(0), 'UNIMPLEMENTED', /no peers/],
  ['getShardChunks', Buffer.alloc(0), 'UNIMPLEMENTED', /Read events instead/],
  ['getTrieMetadataByPrefix', Buffer.alloc(0), 'UNIMPLEMENTED', /Merkle trie/],
];

test.each(
  BORDERS.map(([name, request, expected, details = expected === 'OK' ? /.*/ : /./]) => ({
    ...{ name, request, expected, details },
  })),
)('$name $request is $expected', async ({ name, request, expected, details }) => {
  const answer = await client.call(name, request as never);
  expect([answer.status, answer.details]).toEqual([expected, expect.stringMatching(details)]);
});

test('bytes that are no request are refused in each call, and nothing ends', async () => {
  const calls = BORDERS.filter(([, , status]) => status !== 'UNIMPLEMENTED').map(([name]) => name);
  for (const name of new Set(calls)) {
    for (const bytes of [Buffer.from([0x0a]), Buffer.from([0xff, 0xff]), Buffer.alloc(3, 0x80)]) {
      const { status, details } = await client.call(name, bytes);
      expect([name, status, details]).toEqual([name, 'INVALID_ARGUMENT', expect.stringMatching(/./)]);
    }
  }
  expect((await client.call('getInfo', {})).status).toBe('OK');
});

test('a page of size 0 has one message, as hubs answer', async () => {
  const { response } = await client.call('getUserDataByFid', { fid, pageSize: 0 });
  expect(response?.messages).toHaveLength(1);
  expect(response?.nextPageToken).toHaveLength(24);
});

test('a refused message says why, with the code of hubs in text and metadata', async () => {
  const { heidi } = seeded;
  const { wire } = heidi.cast({ text: 'once' });
  expect((await client.call('submitMessage', Buffer.from(wire))).status).toBe('OK');
  const again = await client.call('submitMessage', Buffer.from(wire));
  expect(again).toMatchObject({
    status: 'INVALID_ARGUMENT',
    details: expect.stringMatching(/^bad_request\.duplicate\//),
  });
  for (const name of ['x-err-code', 'errCode']) expect(again.metadata.get(name)).toEqual(['bad_request.duplicate']);
  const forged = Buffer.from(wire);
  forged[forged.length - 1] = (forged.at(-1) as number) ^ 1;
  const refused = await client.call('submitMessage', forged);
  expect([refused.status, refused.metadata.get('x-err-code')]).toEqual([
    'INVALID_ARGUMENT',
    [expect.stringMatching(/^bad_request/)],
  ]);
  const validated = await client.call('validateMessage', forged);
  expect([validated.status, validated.response?.valid]).toEqual(['OK', false]);
  expect((await client.call('validateMessage', Buffer.from(wire))).response?.valid).toBe(true);
});

test('several messages are answered in their order, each by itself', async () => {
  const { grace } = seeded;
  const good = [grace.cast({ text: 'first of several' }), grace.cast({ text: 'last of several' })] as const;
  const stranger = seeded.frank.withKey(9).cast({ text: 'of a key that is not registered' });
  const bulk = Buffer.concat(
    [good[0].wire, stranger.wire, good[1].wire].map((wire) =>
      Buffer.concat([Buffer.from([0x0a, (wire.length & 0x7f) | 0x80, wire.length >> 7]), wire]),
    ),
  );
  const { response } = await client.call('submitBulkMessages', bulk);
  expect(
    response?.messages.map(({ message, messageError }) => message?.data?.castAddBody?.text ?? messageError?.errCode),
  ).toEqual(['first of several', 'bad_request.unknown_signer', 'last of several']);
});
