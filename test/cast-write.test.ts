import { CastType, MessageType, UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { DAY } from '../src/sample/clock.js';
import { createSecondApp, keyWith } from './support/app.js';
import { storeChannels } from './support/channel.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner, removeKey } from './support/signer.js';

let network: Network;
let seeded: Seeded;
/** Signers' uuids. */
let alice: string;
let bob: string;
let carol: string;

beforeAll(async () => {
  network = await startNetwork();
  // Storage lasts a year: the seed must not be older than that.
  const start = fromUnixMs(Date.now()) - DAY;
  seeded = await seedBasics((items) => network.load(items), start);
  const { grace } = seeded;
  await network.load([
    (await grace.ensProof('grace.base.eth')).item,
    grace.userData(UserDataType.USERNAME, 'grace.base.eth').item,
    seeded.carol.buyPro(365),
  ]);
  const channel = { url: CHANNEL_URL, name: 'Garden', description: null, imageUrl: null, leadFid: null };
  await storeChannels(network.app.core.db, [
    { ...channel, id: 'garden', parentUrl: CHANNEL_URL, createdAt: new Date() },
  ]);
  alice = (await approvedSigner(network, seeded.alice)).uuid;
  bob = (await approvedSigner(network, seeded.bob)).uuid;
  carol = (await approvedSigner(network, seeded.carol)).uuid;
});
afterAll(() => network.stop());

const hex = (hash: Uint8Array): string => `0x${Buffer.from(hash).toString('hex')}`;

const publish = (body: object, headers?: Record<string, string>): Promise<TestResponse> =>
  network.send('POST', '/v2/social/cast/', { signer_uuid: alice, ...body }, headers);
const remove = (body: object): Promise<TestResponse> =>
  network.send('DELETE', '/v2/social/cast/', { signer_uuid: alice, ...body });

/** Reads a cast in the request that follows. */
const read = async (answer: TestResponse, viewer?: number) => {
  expect(answer.body).toMatchObject({ success: true });
  const viewing = viewer === undefined ? '' : `&viewer_fid=${viewer}`;
  const url = `/v2/social/cast/?type=hash&identifier=${answer.body.cast.hash}${viewing}`;
  const { body } = await network.get(url);
  return body.cast;
};

/** The message as hubs have it. */
const raw = async (answer: TestResponse) =>
  (await network.get(`/v1/castById?fid=${answer.body.cast.author.fid}&hash=${answer.body.cast.hash}`)).body.data;

const expectInvalid = (answer: TestResponse, property: string, message: RegExp | string, status = 400): void => {
  expect({ status: answer.status, property: answer.body.property }).toEqual({ status, property });
  expect(answer.body.message).toMatch(message);
};

describe('a published cast', () => {
  test('can be read in the next request, and stands in every list', async () => {
    const answer = await publish({ text: 'First light 🌅' });
    const { hash } = answer.body.cast;
    expect(answer.body).toEqual({
      success: true,
      cast: { hash, author: { fid: FIDS.alice }, text: 'First light 🌅', mentioned_profiles: [] },
    });
    const cast = await read(answer);
    expect(cast).toMatchObject({ hash, text: 'First light 🌅', parent_hash: null, thread_hash: hash, embeds: [] });
    expect(cast.author.username).toBe('alice');
    const feed = await network.get(`/v2/social/feed/user/casts/?fid=${FIDS.alice}&limit=1`);
    expect(feed.body.casts[0].hash).toBe(hash);
    expect(Math.abs(Date.now() - Date.parse(cast.timestamp))).toBeLessThan(60_000);
  });

  test('mentions accounts where their names stand, and is read as it was typed', async () => {
    const text = '👩‍👩‍👧 @bob e\u0301 @grace.base.eth: ask @nobody, me@alice.example or @Carol. @bob';
    const answer = await publish({ text });
    const shown = text.replace('@Carol', '@carol');
    expect(answer.body.cast.text).toBe(shown);
    const names = answer.body.cast.mentioned_profiles.map((user: { username: string }) => user.username);
    expect(names).toEqual(['bob', 'grace.base.eth', 'carol', 'bob']);
    const cast = await read(answer);
    expect(cast.text).toBe(shown);
    expect(cast.mentioned_profiles).toEqual(answer.body.cast.mentioned_profiles);
    const marked = cast.mentioned_profiles_ranges.map(({ start, end }: { start: number; end: number }) =>
      shown.slice(start, end),
    );
    expect(marked).toEqual(['@bob', '@grace.base.eth', '@carol', '@bob']);
    const notices = await network.get(`/v2/social/notifications/?fid=${FIDS.bob}&type=mentions&limit=1`);
    expect(notices.body.notifications[0].cast.hash).toBe(cast.hash);
  });

  test('may be mentions or embeds alone', async () => {
    expect((await read(await publish({ text: '@bob' }))).text).toBe('@bob');
    const cast = await read(await publish({ embeds: [{ url: 'https://news.example/peas' }] }));
    expect([cast.text, cast.embeds[0].url]).toEqual(['', 'https://news.example/peas']);
  });

  test('embeds casts and URLs, in either spelling', async () => {
    const { hello, reply } = seeded.casts;
    const embeds = [
      { cast_id: { hash: hex(hello.hash), fid: FIDS.alice } },
      { castId: { hash: hex(reply.hash).slice(2), fid: FIDS.bob } },
    ];
    const cast = await read(await publish({ text: 'See', embeds }));
    expect(cast.embeds.map((embed: { cast: { hash: string } }) => embed.cast.hash)).toEqual([
      hex(hello.hash),
      hex(reply.hash),
    ]);
    const quotes = await network.get(`/v2/social/cast/quotes/?type=hash&identifier=${hex(hello.hash)}`);
    expect(quotes.body.casts[0].hash).toBe(cast.hash);
    // A cast that is not stored is embedded as the caller names it.
    const far = { cast_id: { hash: `0x${'ab'.repeat(20)}`, fid: 777 } };
    const { castAddBody } = await raw(await publish({ text: 'Far', embeds: [far] }));
    expect(castAddBody.embeds).toEqual([{ castId: { fid: 777, hash: far.cast_id.hash } }]);
  });

  test('answers a cast, by its hash, with and without 0x and its author', async () => {
    const { hello } = seeded.casts;
    const before = (await network.get(`/v2/social/cast/?type=hash&identifier=${hex(hello.hash)}`)).body.cast;
    const replies = [
      { parent: hex(hello.hash) },
      { parent: hex(hello.hash).slice(2).toUpperCase(), parent_author_fid: FIDS.alice },
    ];
    for (const reply of replies) {
      const cast = await read(await publish({ ...reply, text: 'Still green', signer_uuid: bob }));
      expect(cast).toMatchObject({
        parent_hash: hex(hello.hash),
        parent_author: { fid: FIDS.alice },
        thread_hash: hex(hello.hash),
      });
    }
    // Both were the same within a second, or two casts otherwise.
    const after = (await network.get(`/v2/social/cast/?type=hash&identifier=${hex(hello.hash)}`)).body.cast;
    expect(after.replies.count).toBeGreaterThan(before.replies.count);
    const far = { parent: `0x${'cd'.repeat(20)}`, parent_author_fid: 777 };
    expect((await read(await publish({ ...far, text: 'Who?' }))).parent_author.fid).toBe(777);
  });

  test('stands under a URL, or in a channel', async () => {
    const url = 'https://blog.example/post/1';
    expect(await read(await publish({ text: 'Well said', parent: url }))).toMatchObject({
      parent_url: url,
      root_parent_url: url,
      channel: null,
    });
    for (const place of [
      { channel_id: 'garden' },
      { parent: CHANNEL_URL },
      { parent: CHANNEL_URL, channel_id: 'garden' },
    ]) {
      const cast = await read(await publish({ text: `In ${Object.keys(place)}`, ...place }));
      expect([cast.parent_url, cast.channel.id]).toEqual([CHANNEL_URL, 'garden']);
    }
    // A reply in a thread of the channel may name the channel.
    const { channel, hello } = seeded.casts;
    const reply = { text: 'Beans?', parent: hex(channel.hash), channel_id: 'garden' };
    expect((await read(await publish(reply))).channel.id).toBe('garden');
    expectInvalid(await publish({ ...reply, parent: hex(hello.hash) }), 'channel_id', 'where its thread began');
  });

  test('is of the smallest type that its text fits into, counted in bytes without mentioned names', async () => {
    const type = async (text: string, signer_uuid = alice): Promise<CastType | undefined> => {
      const { cast } = (await publish({ text, signer_uuid })).body;
      const hash = Buffer.from(cast.hash.slice(2), 'hex');
      const [row] = await network.app.core.db.run<{ type: CastType }>('select type from "cast" where hash = $1', [
        hash,
      ]);
      return row?.type;
    };
    expect(await type('é'.repeat(160))).toBe(CastType.CAST);
    expect(await type(`${'é'.repeat(159)}: @bob`)).toBe(CastType.CAST);
    expect(await type(`${'é'.repeat(160)}!`)).toBe(CastType.LONG_CAST);
    expect(await type('🌱'.repeat(256))).toBe(CastType.LONG_CAST);
    expect(await type('🌱'.repeat(2500), carol)).toBe(CastType.TEN_K_CAST);
    expectInvalid(await publish({ text: `${'🌱'.repeat(256)}!` }), 'text', /1025 bytes.*pro subscription/);
    expectInvalid(await publish({ text: 'x'.repeat(10_001), signer_uuid: carol }), 'text', 'at most 10000 bytes');
  });

  test('with a key for retries is written once, and answered alike', async () => {
    const body = { text: 'Once and for all', idem: 'a8d0f5c2b1e94477' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => publish(body)));
    answers.push(await publish(body));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: answers[0]?.body });
    const list = await network.get(`/v2/social/feed/user/casts/?fid=${FIDS.alice}&limit=50`);
    const twins = list.body.casts.filter((cast: { text: string }) => cast.text === body.text);
    expect(twins).toHaveLength(1);
    expect(await publish({ ...body, text: 'Something else' })).toMatchObject({
      status: 409,
      body: { property: 'idem' },
    });
    // The key remembers the answer even when the cast is gone.
    await remove({ target_hash: answers[0]?.body.cast.hash });
    expect((await publish(body)).body).toEqual(answers[0]?.body);
  });

  test('is returned to a retry with the same idem even after the signer was removed', async () => {
    const brief = await approvedSigner(network, seeded.bob);
    const body = { signer_uuid: brief.uuid, text: 'My last words', idem: 'last words' };
    const answer = await publish(body);
    expect(answer.status).toBe(200);
    await removeKey(network, FIDS.bob, brief.publicKey);
    expect(await publish(body)).toMatchObject({ status: 200, body: answer.body });
    expect((await publish({ ...body, idem: 'more words' })).status).toBe(403);
  });
});

describe('a deleted cast', () => {
  test('is gone from the next request on, and may be deleted again and published again', async () => {
    const text = 'I should not say that';
    const answer = await publish({ text });
    const { hash } = answer.body.cast;
    expect((await remove({ target_hash: hash })).body).toEqual({ success: true });
    expect((await network.get(`/v2/social/cast/?type=hash&identifier=${hash}`)).status).toBe(400);
    expect((await remove({ target_hash: hash.slice(2).toUpperCase() })).body).toEqual({ success: true });
    const removals = await network.app.core.db.run('select 1 from message where fid = $1 and type = $2 and key = $3', [
      FIDS.alice,
      MessageType.CAST_REMOVE,
      Buffer.from(hash.slice(2), 'hex'),
    ]);
    expect(removals).toHaveLength(1);
    const again = await publish({ text });
    expect(again.body.cast.hash).not.toBe(hash);
    expect((await read(again)).text).toBe(text);
  });

  test('is its author’s own', async () => {
    const target_hash = hex(seeded.casts.reply.hash);
    expectInvalid(await remove({ target_hash }), 'target_hash', 'only its author', 403);
    expectInvalid(await remove({ target_hash: `0x${'12'.repeat(20)}` }), 'target_hash', 'No such cast', 404);
  });
});

describe('who may write', () => {
  const permitted = async (permission: 'PUBLISH_CAST' | 'DELETE_CAST' | 'READ_ONLY'): Promise<string> =>
    (await approvedSigner(network, seeded.heidi, { permissions: [permission] })).uuid;

  test('a signer does what it is permitted to', async () => {
    const publisher = await permitted('PUBLISH_CAST');
    const answer = await publish({ text: 'By permission', signer_uuid: publisher });
    expect(answer.status).toBe(200);
    const target_hash = answer.body.cast.hash;
    expectInvalid(await remove({ target_hash, signer_uuid: publisher }), 'signer_uuid', 'DELETE_CAST', 403);
    expectInvalid(
      await publish({ text: 'No', signer_uuid: await permitted('READ_ONLY') }),
      'signer_uuid',
      'lacks',
      403,
    );
    const remover = await permitted('DELETE_CAST');
    expect((await remove({ target_hash, signer_uuid: remover })).status).toBe(200);
  });

  test('another app and another scope may not', async () => {
    const other = await createSecondApp(network);
    expectInvalid(await publish({ text: 'Not mine' }, other.headers), 'signer_uuid', 'another app', 403);
    expect((await publish({ text: 'Read only' }, await keyWith(network, 'read'))).status).toBe(403);
    expectInvalid(
      await publish({ text: 'x', signer_uuid: '00000000-0000-4000-8000-000000000000' }),
      'signer_uuid',
      'no signer',
      404,
    );
    expectInvalid(await publish({ text: 'x', signer_uuid: 'mine' }), 'signer_uuid', 'UUID');
  });
});

describe('what a stranger would send', () => {
  const hash = `0x${'ab'.repeat(20)}`;
  const url = { url: 'https://news.example/1' };
  test.each<[string, object, string, RegExp | string]>([
    ['nothing to say', {}, 'text', 'cannot be empty'],
    ['an empty text', { text: '' }, 'text', 'cannot be empty'],
    ['an empty reply', { parent: CHANNEL_URL, embeds: [] }, 'text', 'cannot be empty'],
    ['a number', { text: 5 }, 'text', 'must be a string'],
    ['null', { text: null }, 'text', 'must be a string'],
    [
      'nesting without end',
      { text: 'x', idem: 'deep', more: JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)) },
      'more',
      'at most 64 levels',
    ],
    ['a book', { text: '@bob '.repeat(2_100) }, 'text', 'at most 10000 bytes'],
    ['NUL', { text: 'a\0b' }, 'text', 'NUL'],
    ['half a character', { text: 'a\ud83c' }, 'text', 'halves'],
    ['eleven mentions', { text: '@bob '.repeat(11) }, 'text', '11 times'],
    ['three embeds', { text: 'x', embeds: [url, url, url] }, 'embeds', 'at most 2'],
    ['an embed of no kind', { embeds: [{}] }, 'embeds', 'exactly one of {cast_id}, {castId}, {url}'],
    ['an embed of two kinds', { embeds: [{ ...url, cast_id: { hash, fid: 1 } }] }, 'embeds', 'exactly one of'],
    ['an embed of an unknown kind', { embeds: [{ image: 'x' }] }, 'embeds', 'exactly one of'],
    ['a bare embed', { embeds: ['https://news.example/1'] }, 'embeds', 'exactly one of'],
    ['embeds that are no list', { embeds: url }, 'embeds', 'must be an array'],
    ['a relative URL', { embeds: [{ url: '/x' }] }, 'embeds', 'embeds[0].url must be an absolute URL'],
    ['an endless URL', { embeds: [{ url: `https://x.example/${'é'.repeat(130)}` }] }, 'embeds', 'at most 256 bytes'],
    ['an embed without author', { embeds: [{ cast_id: { hash } }] }, 'embeds', 'embeds[0].cast_id.fid is required'],
    [
      'an embed of fid 0',
      { embeds: [{ castId: { hash, fid: 0 } }] },
      'embeds',
      'embeds[0].castId.fid must be at least 1',
    ],
    ['a short hash', { embeds: [url, { cast_id: { hash: '0x12', fid: 1 } }] }, 'embeds', 'embeds[1].cast_id.hash'],
    ['a parent that is nothing', { text: 'x', parent: 'yes' }, 'parent', 'cast hash'],
    ['an empty parent', { text: 'x', parent: '' }, 'parent', 'cast hash'],
    ['a short parent', { text: 'x', parent: '0x1234' }, 'parent', 'cast hash'],
    ['a long parent', { text: 'x', parent: `https://x.example/${'a'.repeat(256)}` }, 'parent', '256 bytes'],
    ['an author without parent', { text: 'x', parent_author_fid: 2 }, 'parent_author_fid', 'goes with a parent'],
    ['an author of a URL', { text: 'x', parent: CHANNEL_URL, parent_author_fid: 2 }, 'parent_author_fid', 'goes with'],
    ['fid 0 as author', { text: 'x', parent: hash, parent_author_fid: 0 }, 'parent_author_fid', 'at least 1'],
    ['two places', { text: 'x', parent: 'https://x.example', channel_id: 'garden' }, 'channel_id', 'different places'],
    ['an empty key for retries', { text: 'x', idem: '' }, 'idem', 'empty'],
    ['a key that is a number', { text: 'x', idem: 7 }, 'idem', 'must be a string'],
  ])('%s', async (_what, body, property, message) => {
    const answer = await publish(body);
    expect({ status: answer.status, property: answer.body.property }).toEqual({ status: 400, property });
    expect(answer.body.message).toEqual(
      typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    );
  });

  test('an unknown parent or channel is a 404, and a wrong author fid a 400 with the right one', async () => {
    expectInvalid(await publish({ text: 'x', parent: hash }), 'parent', 'parent_author_fid', 404);
    expectInvalid(await publish({ text: 'x', channel_id: 'no-such' }), 'channel_id', 'no-such', 404);
    const parent = hex(seeded.casts.hello.hash);
    expectInvalid(await publish({ text: 'x', parent, parent_author_fid: 3 }), 'parent_author_fid', 'must be 2');
    const embeds = [{ cast_id: { hash: parent, fid: 3 } }];
    expectInvalid(await publish({ text: 'x', embeds }), 'embeds', 'must be 2');
    for (const target_hash of ['0x12', '', 7, null, `${hash}ab`])
      expect((await remove({ target_hash })).status).toBe(400);
    expect((await network.send('POST', '/v2/social/cast/', { text: 'x' })).body.property).toBe('signer_uuid');
  });
});
