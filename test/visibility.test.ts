import { UserDataType } from '@farcaster/core';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../src/api/operation-list.js';
import { fromUnixMs } from '../src/protocol/time.js';
import type { Signed } from '../src/sample/signed-message.js';
import { nameOf } from '../src/schema/named.js';
import { createSecondApp, type SecondApp, startSecondService } from './support/app.js';
import { storeChannels } from './support/channel.js';
import { delay } from './support/delay.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';
import { newTopic, storeTopics } from './support/topic.js';

let network: Network;
let seeded: Seeded;
let appId: string;
let other: SecondApp;
let own: Signed;
let quoting: Signed;
let deep: Signed;
let answer: Signed;
const hex = (cast: Signed): string => `0x${Buffer.from(cast.hash).toString('hex')}`;
const run = (sql: string, params: (string | number)[] = []) => network.sql(sql, params);

/** Of a channel in which nobody but frank is, and which is shown only because of him. */
const STRIPES_URL = 'https://channel.example/~/channel/stripes';

/** frank is the one who is hidden, from heidi or from all; he does whatever a list is made of. */
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  const { alice, carol, dan, erin, frank, grace, heidi, casts } = seeded;
  own = frank.cast({ text: 'Zebra crossing', parent: CHANNEL_URL });
  quoting = carol.cast({ text: 'Look at that', embeds: [own] });
  deep = erin.cast({ text: 'And at that', embeds: [quoting] });
  answer = carol.cast({ text: 'Mind the gap', parent: own });
  await seeded.send(
    own,
    quoting,
    deep,
    answer,
    frank.cast({ text: 'Ripe too', parent: casts.hello }),
    frank.cast({ text: 'Well said', embeds: [casts.hello] }),
    frank.cast({ text: 'Stripes', embeds: ['https://zebra.example/stripe.png'] }),
    frank.react('like', casts.hello),
    frank.follow(alice.fid),
    alice.follow(frank.fid),
    carol.react('recast', own),
    dan.follow(heidi.fid),
    dan.follow(grace.fid),
    frank.userData(UserDataType.LOCATION, 'geo:38.72,-9.14'),
  );
  // Ranked feeds show casts of the last day.
  const now = fromUnixMs(Date.now());
  const today = frank.cast({ text: 'Today', parent: CHANNEL_URL, at: now - 3600 });
  await seeded.send(today, carol.react('like', today, now - 60));
  for (const who of [heidi, grace]) {
    const theirs = who.cast({ text: 'Good morning', parent: CHANNEL_URL });
    await seeded.send(
      theirs,
      frank.react('like', theirs),
      frank.react('recast', theirs),
      frank.cast({ text: 'Morning', parent: theirs }),
      frank.cast({ text: 'So they say', embeds: [theirs] }),
      frank.cast({ text: ['Hello ', who.fid] }),
      frank.follow(who.fid),
      who.follow(frank.fid),
      who.react('like', own),
    );
  }
  await storeChannels(network.app.core.db, [
    { id: 'garden', parentUrl: CHANNEL_URL },
    { id: 'stripes', parentUrl: STRIPES_URL },
  ]);
  await seeded.send(frank.cast({ text: 'Mine alone', parent: STRIPES_URL }));
  for (const id of ['garden', 'stripes']) {
    await network.sql('insert into channel_follow values ($1, $2, now())', [id, FIDS.frank]);
    await network.sql("insert into channel_member (channel_id, fid, role, since) values ($1, $2, 'member', now())", [
      id,
      FIDS.frank,
    ]);
  }
  const invite = 'insert into channel_invite (channel_id, fid, inviter_fid, role, invited_at) values';
  await network.sql(`${invite} ('garden', $1, $2, 'member', now())`, [FIDS.frank, FIDS.carol]);
  await network.sql(`${invite} ('stripes', $1, $2, 'member', now())`, [FIDS.dan, FIDS.frank]);
  await storeTopics(network.app.core.db, [newTopic('zebra')], network.app.invalidate);
  const [key] = await network.sql<{ app_id: string }>('select app_id from api_key limit 1');
  appId = (key as { app_id: string }).app_id;
  other = await createSecondApp(network);
});
afterAll(() => network.stop());

/** Every list, as it is for a viewer; where the contract demands one and none is named (0), grace is. */
const lists = (viewer: number): string[] => {
  const named = viewer || FIDS.grace;
  const url = encodeURIComponent(CHANNEL_URL);
  const hello = `identifier=${hex(seeded.casts.hello)}&type=hash`;
  const withViewer = [
    'channel/followers/?id=garden',
    `followers/?fid=${FIDS.alice}`,
    `followers/?fid=${FIDS.alice}&sort_type=algorithmic`,
    `following/?fid=${FIDS.alice}`,
    `followers/reciprocal/?fid=${FIDS.alice}`,
    `following/suggested/?fid=${FIDS.dan}`,
    `reactions/cast/?hash=${hex(seeded.casts.hello)}&types=likes`,
    `reactions/user/?fid=${FIDS.carol}&type=all`,
    `reactions/user/?fid=${FIDS.frank}&type=all`,
    `feed/?feed_type=following&fid=${named}`,
    `feed/?feed_type=filter&filter_type=fids&fids=${FIDS.frank}`,
    `feed/?feed_type=filter&filter_type=parent_url&parent_url=${url}`,
    'feed/?feed_type=filter&filter_type=channel_id&channel_id=garden',
    'feed/?feed_type=filter&filter_type=embed_url&embed_url=zebra.example',
    'feed/?feed_type=filter&filter_type=embed_types&embed_types=image',
    'feed/?feed_type=filter&filter_type=global_trending',
    'feed/trending/?time_window=24h',
    'feed/trending/?channel_id=garden',
    `feed/for_you/?fid=${named}`,
    `feed/following/?fid=${named}`,
    `feed/parent_urls/?parent_urls=${url}`,
    `feed/parent_urls/?parent_urls=${url}&with_replies=true`,
    'feed/channels/?channel_ids=garden',
    `feed/channels/?channel_ids=garden&fids=${FIDS.frank}`,
    'feed/topic/?slug=zebra',
    `feed/user/casts/?fid=${FIDS.carol}`,
    `feed/user/casts/?fid=${FIDS.frank}`,
    `feed/user/popular/?fid=${FIDS.carol}`,
    `feed/user/popular/?fid=${FIDS.frank}`,
    `feed/user/replies_and_recasts/?fid=${FIDS.carol}`,
    `feed/user/replies_and_recasts/?fid=${FIDS.frank}`,
    `cast/quotes/?${hello}`,
    `cast/conversation/?${hello}&reply_depth=2`,
    `cast/conversation/?${hello}&reply_depth=2&sort_type=algorithmic`,
    `cast/conversation/?identifier=${hex(answer)}&type=hash&include_chronological_parent_casts=true`,
    'cast/search/?q=zebra',
    'user/search/?q=frank',
    'user/by_location/?latitude=38.7&longitude=-9.1',
    `casts/?casts=${hex(quoting)}`,
    `casts/?casts=${hex(deep)}`,
    `cast/?identifier=${hex(quoting)}&type=hash`,
  ].map((path) => `${path}${viewer === 0 ? '' : `&viewer_fid=${viewer}`}`);
  const ofNamed = [
    `channel/followers/relevant/?id=garden&viewer_fid=${named}`,
    `followers/relevant/?target_fid=${FIDS.alice}&viewer_fid=${named}`,
    `user/best_friends/?fid=${named}&limit=100`,
    ...['follows', 'likes', 'recasts', 'replies', 'quotes', 'mentions'].map(
      (kind) => `notifications/?fid=${named}&type=${kind}`,
    ),
    `notifications/channel/?fid=${named}&channel_ids=garden`,
    `notifications/parent_url/?fid=${named}&parent_urls=${url}`,
  ];
  return [...withViewer, ...ofNamed].map((path) => `/v2/social/${path}`);
};

/** Lists without a viewer, from which only bans hide. */
const appLists = (): string[] =>
  [
    'channel/member/list/?channel_id=garden',
    'channel/member/invite/list/?channel_id=garden',
    'channel/member/invite/list/?channel_id=stripes',
    `channel/member/invite/list/?invited_fid=${FIDS.dan}`,
    `channel/member/invite/list/?channel_id=stripes&invited_fid=${FIDS.dan}`,
    'channel/member/invite/list/?limit=100',
    `channel/user/?fid=${FIDS.frank}`,
    `user/channels/?fid=${FIDS.frank}`,
    `user/memberships/list/?fid=${FIDS.frank}`,
  ].map((path) => `/v2/social/${path}`);

/** @returns the lists in which frank, a cast of his, or the channel that only he is in, is to be seen. */
const showing = async (
  paths: readonly string[],
  get: (path: string) => Promise<Pick<TestResponse, 'status' | 'body'>> = network.get,
): Promise<string[]> => {
  const shown: string[] = [];
  for (const path of paths) {
    const { status, body } = await get(path);
    expect({ path, status, message: body.message }).toEqual({ path, status: 200 });
    if (/"username":"frank"|"id":"stripes"/.test(JSON.stringify(body))) shown.push(path);
  }
  return shown;
};
const inOther = (path: string) => network.get(path, other.headers);

/** Operations that answer with the very users or casts that were asked for, with channels and their leads, or with what an app or a user hides. */
const NO_LISTS = [
  // Of a page, which may be a mini app with an author.
  'fetch-embedded-url-metadata',
  'fetch-bulk-users',
  'fetch-bulk-users-by-eth-or-sol-address',
  'lookup-user-by-username',
  'lookup-user-by-custody-address',
  'lookup-users-by-x-username',
  'fetch-verifications',
  'fetch-user-balance',
  // Need a chain; test/fungible.test.ts hides accounts.
  'fetch-fungible-trades',
  'fetch-relevant-fungible-owners',
  'fetch-bulk-relevant-fungible-owners',
  // These too; test/stp-list.test.ts bans and blocks.
  'fetch-subscribed-to-for-fid',
  'fetch-subscribers-for-fid',
  'fetch-ban-list',
  'fetch-mute-list',
  'fetch-block-list',
  'lookup-channel',
  'fetch-bulk-channels',
  'fetch-all-channels',
  'search-channels',
  'fetch-trending-channels',
  // They have no viewer; test/topic.test.ts and test/conversation-summary.test.ts ban.
  'list-trending-topics',
  'lookup-cast-conversation-summary',
  // Shows what each of the two accounts would be notified of; test/user-interaction.test.ts mutes, blocks and bans.
  'fetch-user-interactions',
  // Mini apps with their authors; test/mini-app-catalog.test.ts and test/mini-app-relevant.test.ts hide them.
  'fetch-frame-catalog',
  'search-frames',
  'fetch-relevant-frames',
  // They show the account that was asked for.
  'lookup-user-storage-allocations',
  'lookup-user-storage-usage',
];

const SHOWN = new Set(['User', 'UserDehydrated', 'Cast', 'CastDehydrated', 'Channel', 'ChannelDehydrated']);

/** Whether users, casts or channels are anywhere in a shape. */
const shows = (schema: TSchema, seen = new Set<unknown>()): boolean => {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  return SHOWN.has(nameOf(schema) ?? '') || Object.values(schema).some((part) => shows(part as TSchema, seen));
};

test('every operation that lists users, casts or channels is tried here', () => {
  const tried = new Set([...lists(FIDS.heidi), ...appLists()].map((path) => path.split('?', 1)[0]));
  const untried = operations
    .filter(({ method, family, response }) => method === 'GET' && family === 'v2' && shows(response))
    .filter(({ path }) => !tried.has(path))
    .map(({ id }) => id);
  expect(untried.sort()).toEqual([...NO_LISTS].sort());
});

const muteOf = (headers?: Record<string, string>) => (method: string) =>
  network.send(method, '/v2/social/mute/', { fid: FIDS.heidi, muted_fid: FIDS.frank }, headers);
const banBy = (headers?: Record<string, string>) => (method: string) =>
  network.send(method, '/v2/social/ban/', { fids: [FIDS.frank] }, headers);

interface Way {
  readonly hide: () => Promise<unknown>;
  readonly show: () => Promise<unknown>;
  /** Lists of this viewer (0: of nobody in particular), by app, hold nothing of frank. */
  readonly hiddenFrom: { readonly heidi: boolean; readonly others: boolean; readonly createSecondApp: boolean };
}

const FROM_HEIDI = { heidi: true, others: false };

const WAYS: Record<string, Way> = {
  'muted by the viewer': {
    hide: () => muteOf()('POST'),
    show: () => muteOf()('DELETE'),
    hiddenFrom: { ...FROM_HEIDI, createSecondApp: false },
  },
  'muted by the viewer in another app': {
    hide: () => muteOf(other.headers)('POST'),
    show: () => muteOf(other.headers)('DELETE'),
    hiddenFrom: { heidi: false, others: false, createSecondApp: true },
  },
  'blocked by the viewer': {
    hide: () => seeded.send(seeded.heidi.link('block', FIDS.frank)),
    show: () => seeded.send(seeded.heidi.unlink('block', FIDS.frank)),
    hiddenFrom: { ...FROM_HEIDI, createSecondApp: true },
  },
  'blocking the viewer': {
    hide: () => seeded.send(seeded.frank.link('block', FIDS.heidi)),
    show: () => seeded.send(seeded.frank.unlink('block', FIDS.heidi)),
    hiddenFrom: { ...FROM_HEIDI, createSecondApp: true },
  },
  'banned by the app': {
    hide: () => banBy()('POST'),
    show: () => banBy()('DELETE'),
    hiddenFrom: { heidi: true, others: true, createSecondApp: false },
  },
  'banned by another app': {
    hide: () => banBy(other.headers)('POST'),
    show: () => banBy(other.headers)('DELETE'),
    hiddenFrom: { heidi: false, others: false, createSecondApp: true },
  },
};

/** @returns the numbers of follows of frank in the lists of whom he follows */
const followsOfFrank = async (viewer: number): Promise<number[]> => {
  const lists = ['following/?', 'following/?sort_type=algorithmic&', 'followers/reciprocal/?'];
  const paths = lists.map((list) => `/v2/social/${list}fid=${FIDS.frank}&viewer_fid=${viewer}`);
  const responses = await Promise.all(paths.map((path) => network.get(path)));
  return responses.map(({ body }) => body.users.length);
};

const everywhere = async (): Promise<void> => {
  for (const viewer of [FIDS.heidi, FIDS.grace, 0]) expect(await showing(lists(viewer))).toEqual(lists(viewer));
  expect(await showing(lists(FIDS.heidi), inOther)).toEqual(lists(FIDS.heidi));
  for (const get of [network.get, inOther]) expect(await showing(appLists(), get)).toEqual(appLists());
};

test('without mutes, blocks and bans no account is missing from any list', everywhere);

test.each(Object.keys(WAYS))(
  'an account %s disappears at once from the lists and embeds that hide it, and comes back at once',
  async (name) => {
    const { hide, show, hiddenFrom } = WAYS[name] as Way;
    const left = (hidden: boolean, viewer: number) => (hidden ? [] : lists(viewer));
    await hide();
    expect(await showing(lists(FIDS.heidi))).toEqual(left(hiddenFrom.heidi, FIDS.heidi));
    for (const viewer of [FIDS.grace, 0]) {
      expect(await showing(lists(viewer))).toEqual(left(hiddenFrom.others, viewer));
    }
    expect(await showing(lists(FIDS.heidi), inOther)).toEqual(left(hiddenFrom.createSecondApp, FIDS.heidi));
    const all = [3, 3, 3];
    expect(await followsOfFrank(FIDS.heidi)).toEqual(hiddenFrom.heidi ? [0, 0, 0] : all);
    expect(await followsOfFrank(FIDS.grace)).toEqual(hiddenFrom.others ? [0, 0, 0] : all);
    expect(await showing(appLists())).toEqual(hiddenFrom.others ? [] : appLists());
    expect(await showing(appLists(), inOther)).toEqual(name === 'banned by another app' ? [] : appLists());
    await show();
    for (const viewer of [FIDS.heidi, 0]) expect(await showing(lists(viewer))).toEqual(lists(viewer));
    expect(await showing(appLists())).toEqual(appLists());
  },
);

test.runIf(process.env.TEST_DATABASE_URL !== undefined)('another process hides accounts within a second', async () => {
  const second = await startSecondService(network);
  try {
    for (const name of ['muted by the viewer', 'blocked by the viewer', 'banned by the app']) {
      const { hide, show } = WAYS[name] as Way;
      expect(await showing(lists(FIDS.heidi), second.get)).toEqual(lists(FIDS.heidi));
      await hide();
      await delay(1_000);
      expect(await showing(lists(FIDS.heidi), second.get), name).toEqual([]);
      await show();
      await delay(1_000);
      expect(await showing(lists(FIDS.heidi), second.get), name).toEqual(lists(FIDS.heidi));
    }
  } finally {
    await second.stop();
  }
});

test('an account or cast that is asked for by its id is returned even if its account is banned', async () => {
  await banBy()('POST');
  const paths = [
    `user/bulk/?fids=${FIDS.frank}`,
    'user/by_username/?username=frank',
    `casts/?casts=${hex(own)}`,
    `cast/?identifier=${hex(own)}&type=hash`,
  ].map((path) => `/v2/social/${path}&viewer_fid=${FIDS.heidi}`);
  expect(await showing(paths)).toEqual(paths);
  await banBy()('DELETE');
});

test('a cast that mentions a banned account keeps the mention', async () => {
  const mention = seeded.carol.cast({ text: ['Where is ', seeded.frank.fid, '?'] });
  await seeded.send(mention);
  await banBy()('POST');
  const [cast] = (await network.get(`/v2/social/feed/user/casts/?fid=${FIDS.carol}`)).body.casts;
  expect(cast).toMatchObject({
    text: 'Where is @frank?',
    mentioned_profiles: [{ fid: FIDS.frank, username: 'frank' }],
  });
  await banBy()('DELETE');
  await seeded.send(seeded.carol.removeCast(mention.hash));
});

test('the lists of bans and mutes contain the accounts that they hide', async () => {
  await banBy()('POST');
  await muteOf()('POST');
  const paths = ['/v2/social/ban/list/', `/v2/social/mute/list/?fid=${FIDS.heidi}`];
  expect(await showing(paths)).toEqual(paths);
  await muteOf()('DELETE');
  await banBy()('DELETE');
});

test('embedded casts of a muted account are left out for that viewer alone', async () => {
  const embedsOf = async (cast: Signed, viewer: number) =>
    (await network.get(`/v2/social/casts/?casts=${hex(cast)}&viewer_fid=${viewer}`)).body.result.casts[0].embeds;
  await run('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [FIDS.heidi, appId, FIDS.frank]);
  for (let turn = 0; turn < 2; turn++) {
    expect(await embedsOf(quoting, FIDS.heidi)).toEqual([]);
    expect(await embedsOf(quoting, FIDS.grace)).toMatchObject([{ cast: { text: 'Zebra crossing' } }]);
    expect(await embedsOf(deep, FIDS.heidi)).toMatchObject([{ cast: { text: 'Look at that', embeds: [] } }]);
    expect(await embedsOf(deep, FIDS.grace)).toMatchObject([{ cast: { embeds: [{ cast: { hash: hex(own) } }] } }]);
  }
  await run('delete from mute');
});
