import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cutMessagePage } from '../src/api/hub/message/list.js';
import { renderMessagePage } from '../src/api/hub/message/page.js';
import { selectMessagesByAuthor } from '../src/store/hub/message-page.js';
import { type HubFlow, hashesOf, hex, startHubFlow, type TestResponse } from './support/hub-api.js';
import { openTestReads, watchDatabase } from './support/read-cache.js';
import { CHANNEL_URL, FIDS } from './support/seed.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow();
});
afterAll(() => hub.stop());

const casts = (query: string): Promise<TestResponse> => hub.get('hub-fetch-users-casts', `/v1/castsByFid?${query}`);

/** Follows the tokens of a list to its end. */
const walk = async (operationId: string, url: string): Promise<string[][]> => {
  const pages: string[][] = [];
  let token = '';
  do {
    const page = await hub.get(operationId, `${url}&pageToken=${encodeURIComponent(token)}`);
    expect(page.status).toBe(200);
    pages.push(hashesOf(page));
    token = page.body.nextPageToken;
  } while (token !== '');
  return pages;
};

test('castsByFid returns the current casts by time, each as it was signed', async () => {
  const { casts: written } = hub.seeded;
  const { status, body } = await casts(`fid=${FIDS.dan}`);
  expect(status).toBe(200);
  expect(body.nextPageToken).toBe('');
  expect(body.messages.map((message: { hash: string }) => message.hash)).toEqual([
    hex(written.quote.hash),
    hex(written.emoji.hash),
  ]);
  expect(body.messages[1]).toMatchObject({
    hashScheme: 'HASH_SCHEME_BLAKE3',
    signatureScheme: 'SIGNATURE_SCHEME_ED25519',
    signer: hex(hub.seeded.dan.signer),
    data: {
      type: 'MESSAGE_TYPE_CAST_ADD',
      fid: FIDS.dan,
      timestamp: written.emoji.timestamp,
      network: 'SOCIAL_NETWORK_DEVNET',
      castAddBody: { mentions: [FIDS.alice, FIDS.bob] },
    },
  });
  expect(body.messages[0].data.castAddBody.embeds).toEqual([
    { castId: { fid: FIDS.bob, hash: hex(written.reply.hash) } },
  ]);
  expect(hashesOf(await casts(`fid=${FIDS.alice}`))).toEqual([hex(written.hello.hash)]);
});

test('a page takes one query with cached messages, else two, whatever its size', async () => {
  const { db, sent } = watchDatabase(hub.shell.db);
  const { reads, freshness } = openTestReads(db, 1_000_000);
  await freshness.start();
  const page = async () => {
    const read = reads.open();
    const found = await selectMessagesByAuthor(read, FIDS.dan, 1, [0], { after: undefined, reverse: false, limit: 9 });
    return renderMessagePage(read, cutMessagePage(found, { pageSize: 8 }));
  };
  const asked = () => sent().filter((name) => name !== 'change_since');
  asked();
  // On a busy machine polls may be late, and then nothing is cached for a moment.
  await vi.waitFor(async () => {
    freshness.clock.invalidateAll();
    const first = await page();
    expect(asked()).toHaveLength(2);
    expect((await page()).equals(first)).toBe(true);
    expect(asked()).toHaveLength(1);
  }, 30_000);
  await freshness.stop();
});

test('pages of one message cover the list once, forwards and backwards, and end with an empty token', async () => {
  const all = hashesOf(await casts(`fid=${FIDS.dan}`));
  expect(await walk('hub-fetch-users-casts', `/v1/castsByFid?fid=${FIDS.dan}&pageSize=1`)).toEqual(
    all.map((hash) => [hash]),
  );
  expect(await walk('hub-fetch-users-casts', `/v1/castsByFid?fid=${FIDS.dan}&pageSize=1&reverse=true`)).toEqual(
    all.toReversed().map((hash) => [hash]),
  );
  expect(await walk('hub-fetch-users-casts', `/v1/castsByFid?fid=${FIDS.dan}&pageSize=2`)).toEqual([all]);
});

test('an unknown fid has an empty list, not an error', async () => {
  const empty = { status: 200, body: { messages: [], nextPageToken: '' } };
  expect(await casts('fid=999999')).toEqual(empty);
  expect(await hub.get('hub-fetch-user-data', '/v1/userDataByFid?fid=999999')).toEqual(empty);
  expect(await hub.get('hub-fetch-user-following', '/v1/linksByFid?fid=9007199254740991')).toEqual(empty);
});

test('invalid query members are rejected with the hub error body', async () => {
  const id = 'hub-fetch-users-casts';
  for (const [query, details] of [
    ['', /^fid is required/],
    ['fid=0', /^fid must be at least 1/],
    ['fid=two', /^fid must be an integer/],
    ['fid=2&fid=3', /^fid must be given once/],
    ['fid=99999999999999999999', /^fid must be/],
    ['fid=2&pageSize=0', /^pageSize must be at least 1/],
    ['fid=2&pageSize=1001', /^pageSize must be at most 1000/],
    ['fid=2&reverse=perhaps', /^reverse must be a boolean/],
    ['fid=2&pageToken=abc', /^pageToken must be the nextPageToken/],
  ] as const) {
    await hub.refused(id, `/v1/castsByFid?${query}`, details);
  }
});

test('one cast by its id; a removed one is not found', async () => {
  const id = 'hub-lookup-cast-by-hash-and-fid';
  const { hello, removed } = hub.seeded.casts;
  const found = await hub.get(id, `/v1/castById?fid=${FIDS.alice}&hash=${hex(hello.hash)}`);
  expect(found).toMatchObject({ status: 200, body: { hash: hex(hello.hash) } });
  const gone = await hub.get(id, `/v1/castById?fid=${FIDS.alice}&hash=${hex(removed.hash)}`);
  expect(gone).toMatchObject({ status: 404, body: { errCode: 'not_found', code: 5, name: 'HubError' } });
  expect((await hub.get(id, `/v1/castById?fid=${FIDS.bob}&hash=${hex(hello.hash)}`)).status).toBe(404);
  await hub.refused(id, `/v1/castById?fid=${FIDS.alice}&hash=abc`, /^hash must be/);
});

test('casts by mention and by parent', async () => {
  const { hello, emoji, reply, channel } = hub.seeded.casts;
  const mention = 'hub-fetch-casts-mentioning-user';
  expect(hashesOf(await hub.get(mention, `/v1/castsByMention?fid=${FIDS.bob}`))).toEqual([
    hex(hello.hash),
    hex(emoji.hash),
  ]);
  const id = 'hub-fetch-casts-by-parent';
  const byCast = `/v1/castsByParent?fid=${FIDS.alice}&hash=${hex(hello.hash)}`;
  expect(hashesOf(await hub.get(id, byCast))).toEqual([hex(reply.hash)]);
  const byUrl = `/v1/castsByParent?url=${encodeURIComponent(CHANNEL_URL)}`;
  expect(hashesOf(await hub.get(id, byUrl))).toEqual([hex(channel.hash)]);
  await hub.refused(id, '/v1/castsByParent', /^fid is required together with hash/);
  await hub.refused(id, `/v1/castsByParent?fid=${FIDS.alice}`, /^hash is required together with fid/);
  await hub.refused(id, `/v1/castsByParent?hash=${hex(hello.hash)}`, /^fid is required together with hash/);
  await hub.refused(id, `${byCast}&url=${encodeURIComponent(CHANNEL_URL)}`, /one parent/);
  await hub.refused(id, '/v1/castsByParent?url=nowhere', /^url must be an absolute URI/);
});

test('reactions by id, cast and author; types by name in the contract or protocol, and by number', async () => {
  const { hello } = hub.seeded.casts;
  const target = `target_fid=${FIDS.alice}&target_hash=${hex(hello.hash)}`;
  const byCast = (type: string) =>
    hub.get('hub-fetch-cast-reactions', `/v1/reactionsByCast?${target}&reaction_type=${type}`);
  const likes = await byCast('Like');
  const authors = likes.body.messages.map((message: { data: { fid: number } }) => message.data.fid);
  expect(authors).toEqual([FIDS.carol, FIDS.dan, FIDS.erin]);
  expect(likes.body.messages[0].data.reactionBody).toEqual({
    type: 'Like',
    targetCastId: { fid: FIDS.alice, hash: hex(hello.hash) },
  });
  for (const spelling of ['REACTION_TYPE_LIKE', '1']) expect(await byCast(spelling)).toEqual(likes);
  expect((await byCast('2')).body.messages).toHaveLength(1);
  await hub.refused(
    'hub-fetch-cast-reactions',
    `/v1/reactionsByCast?${target}&reaction_type=Love`,
    /^reaction_type must be/,
  );
  await hub.refused('hub-fetch-cast-reactions', `/v1/reactionsByCast?${target}`, /^reaction_type is required/);

  const mine = await hub.get('hub-fetch-user-reactions', `/v1/reactionsByFid?fid=${FIDS.dan}&reaction_type=Like`);
  expect(mine.body.messages).toHaveLength(2);
  const one = (fid: number) =>
    hub.get('hub-lookup-reaction-by-id', `/v1/reactionById?fid=${fid}&${target}&reaction_type=Like`);
  expect((await one(FIDS.carol)).body.hash).toBe(likes.body.messages[0].hash);
  // Removed.
  expect((await one(FIDS.bob)).status).toBe(404);
});

test('reactions to a URL, of one type or of both', async () => {
  const { erin, frank } = hub.seeded;
  const url = 'chain://eip155:1/erc721:0xabc/7';
  await hub.seeded.send(erin.react('like', url), frank.react('recast', url));
  const id = 'hub-fetch-reactions-by-target';
  const path = `/v1/reactionsByTarget?url=${encodeURIComponent(url)}`;
  expect((await hub.get(id, path)).body.messages).toHaveLength(2);
  const recasts = await hub.get(id, `${path}&reaction_type=Recast`);
  expect(recasts.body.messages[0].data).toMatchObject({ fid: FIDS.frank, reactionBody: { targetUrl: url } });
  expect(recasts.body.messages).toHaveLength(1);
  await hub.refused(id, '/v1/reactionsByTarget', /^url is required/);
});

test('links by id, author and target, of one type or of all', async () => {
  const follows = await hub.get('hub-fetch-user-followers', `/v1/linksByTargetFid?target_fid=${FIDS.alice}`);
  const followers = follows.body.messages.map((message: { data: { fid: number } }) => message.data.fid);
  expect(followers).toEqual([FIDS.bob, FIDS.carol, FIDS.dan]);
  const byFid = (fid: number, type = '') => hub.get('hub-fetch-user-following', `/v1/linksByFid?fid=${fid}${type}`);
  expect((await byFid(FIDS.alice)).body.messages).toHaveLength(2);
  expect((await byFid(FIDS.carol)).body.messages).toHaveLength(1);
  expect((await byFid(FIDS.erin, '&link_type=follow')).body.messages).toEqual([]);
  const blocks = await hub.get('hub-fetch-user-following', `/v1/linksByFid?fid=${FIDS.erin}&link_type=block`);
  expect(blocks.status).toBe(200);
  expect(blocks.body.messages[0].data.linkBody).toEqual({ type: 'block', targetFid: FIDS.frank });
  expect((await byFid(FIDS.erin, '&link_type=likes')).body.messages).toEqual([]);
  const long = `/v1/linksByFid?fid=${FIDS.erin}&link_type=morethan8`;
  await hub.refused('hub-fetch-user-following', long, /^link_type must/);
  const one = (from: number, to: number) =>
    hub.get('hub-lookup-user-relation', `/v1/linkById?fid=${from}&target_fid=${to}&link_type=follow`);
  expect((await one(FIDS.bob, FIDS.alice)).body.data.linkBody).toEqual({ type: 'follow', targetFid: FIDS.alice });
  // Unfollowed.
  expect((await one(FIDS.carol, FIDS.bob)).status).toBe(404);
});

test('profile entries: all of an account, or one by name or number', async () => {
  const id = 'hub-fetch-user-data';
  await hub.seeded.send(hub.seeded.erin.userData(UserDataType.DISPLAY, 'Erin on air'));
  const erin = await hub.get(id, `/v1/userDataByFid?fid=${FIDS.erin}`);
  expect(erin.body.messages).toHaveLength(4);
  expect(erin.body.messages.at(-1).data.userDataBody).toEqual({
    type: 'USER_DATA_TYPE_DISPLAY',
    value: 'Erin on air',
  });
  for (const type of ['USER_DATA_TYPE_DISPLAY', '2']) {
    const one = await hub.get(id, `/v1/userDataByFid?fid=${FIDS.erin}&user_data_type=${type}`);
    expect(one.body.data.userDataBody.value).toBe('Erin on air');
  }
  const absent = await hub.get(id, `/v1/userDataByFid?fid=${FIDS.erin}&user_data_type=USER_DATA_TYPE_URL`);
  expect(absent).toMatchObject({ status: 404, body: { errCode: 'not_found' } });
  await hub.refused(
    id,
    `/v1/userDataByFid?fid=${FIDS.erin}&user_data_type=USER_DATA_TYPE_SHOE`,
    /^user_data_type must/,
  );
  await hub.refused(id, `/v1/userDataByFid?fid=${FIDS.erin}&user_data_type=shoe`, /^user_data_type must/);
});
