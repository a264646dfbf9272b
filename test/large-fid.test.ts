import { MessageData, MessageType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blake3Hash20 } from '../src/protocol/hash.js';
import { encodeEnvelope } from '../src/protocol/wire/envelope.js';
import { author } from '../src/sample/author.js';
import { sampleTime } from '../src/sample/clock.js';
import { signerKey } from '../src/sample/key.js';
import { derive } from '../src/sample/random.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, SEED, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

/** Fids beyond 32 bits: the protocol's are 64 bits wide, numbers in JSON are exact up to 2^53 - 1. */
const LARGEST = Number.MAX_SAFE_INTEGER;
const LARGE = [2 ** 31, 2 ** 32, LARGEST];

let network: Network;
let seeded: Seeded;
let heidi: string;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  heidi = (await approvedSigner(network, seeded.heidi)).uuid;
});
afterAll(() => network.stop());

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
const hashesIn = (casts: readonly { hash: string }[]): string[] => casts.map(({ hash }) => hash);

test('casts that answer, mention or embed a large fid are shown on every page that holds them', async () => {
  const { erin } = seeded;
  const other = { fid: LARGEST, hash: Buffer.alloc(20, 7) };
  const casts = [
    ...LARGE.map((fid) => erin.cast({ text: 'colossal', parent: { fid, hash: Buffer.alloc(20, 1) } })),
    erin.cast({ text: ['colossal ', LARGEST], embeds: [other] }),
  ];
  await seeded.send(...casts, erin.react('like', other));
  const hashes = casts.map(({ hash }) => hex(hash)).toReversed();
  for (const path of [
    `/v2/social/feed/user/casts/?fid=${FIDS.erin}`,
    `/v2/social/feed/user/casts/?fid=${FIDS.erin}&viewer_fid=${LARGEST}`,
    `/v2/farcaster/feed/user/casts/?fid=${FIDS.erin}`,
    `/v2/social/feed/?feed_type=filter&filter_type=fids&fids=${FIDS.erin}`,
  ]) {
    const { status, body } = await network.get(path);
    expect([path, status, hashesIn(body.casts)]).toEqual([path, 200, hashes]);
  }
  const search = await network.get('/v2/social/cast/search/?q=colossal');
  expect([search.status, hashesIn(search.body.result.casts).sort()]).toEqual([200, hashes.toSorted()]);
  const { body } = await network.get(`/v2/social/cast/conversation/?type=hash&identifier=${hashes.at(-1)}`);
  expect(body.conversation.cast.parent_author).toEqual({ fid: 2 ** 31 });
  const reply = author({ seed: SEED, fid: FIDS.dan, clock: seeded.clock });
  await seeded.send(
    reply.cast({ text: 'quoting', embeds: casts.slice(0, 2).map(({ hash }) => ({ fid: FIDS.erin, hash })) }),
  );
  const quoting = await network.get(`/v2/social/feed/user/casts/?fid=${FIDS.dan}&limit=1`);
  expect(quoting.body.casts[0].embeds).toMatchObject([
    { cast: { parent_author: { fid: 2 ** 31 } } },
    { cast: { parent_author: { fid: 2 ** 32 } } },
  ]);
  const raw = await network.get(`/v1/castsByFid?fid=${FIDS.erin}&reverse=true&pageSize=1`);
  expect(raw.body.messages[0].data.castAddBody.mentions).toEqual([LARGEST]);
});

test('an account with a large fid writes, is followed and is found', async () => {
  const big = author({ seed: SEED, fid: LARGEST, clock: seeded.clock });
  await seeded.send(big.register(), big.rent(1), await big.addSigner(), await big.fnameProof('biggest'));
  const cast = big.cast({ text: 'As large as it gets' });
  await seeded.send(cast, big.follow(FIDS.heidi), big.react('like', seeded.casts.hello));
  const follow = await network.send('POST', '/v2/social/user/follow/', { signer_uuid: heidi, target_fids: [LARGEST] });
  expect([follow.status, follow.body]).toMatchObject([200, { success: true }]);
  const block = { signer_uuid: heidi, blocked_fid: 2 ** 40 };
  expect((await network.send('POST', '/v2/social/block/', block)).status).toBe(200);
  expect((await network.send('POST', '/v2/social/ban/', { fids: [2 ** 41] })).status).toBe(200);
  expect((await network.send('DELETE', '/v2/social/ban/', { fids: [2 ** 41] })).status).toBe(200);
  const { body } = await network.get(`/v2/social/user/bulk/?fids=${LARGEST}&viewer_fid=${FIDS.heidi}`);
  expect(body.users).toMatchObject([
    { fid: LARGEST, follower_count: 1, following_count: 1, viewer_context: { following: true, followed_by: true } },
  ]);
  for (const path of [
    `/v2/social/followers/?fid=${FIDS.heidi}`,
    `/v2/social/following/?fid=${FIDS.heidi}`,
    `/v2/social/followers/reciprocal/?fid=${FIDS.heidi}`,
  ]) {
    const list = await network.get(path);
    expect([path, list.body.users.map((one: { user: { fid: number } }) => one.user.fid)]).toEqual([path, [LARGEST]]);
  }
  const named = await network.get(`/v2/social/user/by_username/?username=!${LARGEST}`);
  expect([named.status, named.body.user?.fid]).toEqual([200, LARGEST]);
  const likes = await network.get(`/v2/social/reactions/user/?fid=${LARGEST}&type=likes`);
  expect(likes.body.reactions).toHaveLength(1);
  expect((await network.get(`/v2/social/user/bulk/?fids=${LARGEST + 1}`)).status).toBe(400);
});

/** The message of some data bytes, signed by the first key of a seeded account. */
const signedBytes = (dataBytes: Uint8Array, fid: number): Uint8Array<ArrayBuffer> => {
  const key = signerKey(derive(SEED, 'signer', fid, 0));
  const hash = blake3Hash20(dataBytes);
  const schemes = { hashScheme: 1, signatureScheme: 1 };
  const signature = key.sign(hash);
  const wire = encodeEnvelope({ ...schemes, dataBytes, dataForm: 'data', hash, signature, signer: key.publicKey });
  return Uint8Array.from(wire);
};

test('a submitted message with a number beyond 2^53 - 1 is refused, none of it is rounded', async () => {
  const bytes = (fid: bigint, target: bigint): Uint8Array => {
    const varint = (value: bigint): number[] =>
      value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)];
    const link = [0x0a, 6, ...Buffer.from('follow'), 0x18, ...varint(target)];
    const at = sampleTime();
    return Uint8Array.from([
      ...[0x08, MessageType.LINK_ADD, 0x10, ...varint(fid), 0x18, ...varint(BigInt(at)), 0x20, 3],
      ...[0x72, link.length, ...link],
    ]);
  };
  const known = MessageData.decode(bytes(BigInt(FIDS.erin), 5n));
  expect(known).toMatchObject({ fid: FIDS.erin, linkBody: { type: 'follow', targetFid: 5 } });
  for (const [fid, target] of [
    [BigInt(FIDS.erin), 2n ** 53n],
    [BigInt(FIDS.erin), 2n ** 64n - 1n],
    [2n ** 53n + 1n, 5n],
  ] as const) {
    const wire = signedBytes(bytes(fid, target), FIDS.erin);
    const response = await fetch(`${network.url}/v1/submitMessage`, {
      method: 'POST',
      headers: { 'x-api-key': network.apiKey, 'content-type': 'application/octet-stream' },
      body: wire,
    });
    expect([response.status, await response.json()]).toMatchObject([400, { errCode: 'bad_request.parse_failure' }]);
  }
  expect((await network.get(`/v2/social/following/?fid=${FIDS.erin}`)).body.users).toEqual([]);
});
