import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../src/api/operation-list.js';
import { createSecondApp, type SecondApp } from './support/app.js';
import { storeChannels, storeCommunity } from './support/channel.js';
import { EMBED_HOST, type LargeNetwork, loadLargeNetwork } from './support/large-network.js';
import { storeMiniApps } from './support/mini-app-catalog.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { hashOf } from './support/notification.js';
import { CHANNEL_URL, FIDS, seedBasics } from './support/seed.js';
import { newTopic, storeTopics } from './support/topic.js';

let network: Network;
let crowd: LargeNetwork;
let other: SecondApp;
beforeAll(async () => {
  network = await startNetwork();
  const seeded = await seedBasics((items) => network.load(items));
  crowd = await loadLargeNetwork(seeded, (items) => network.load(items));
  other = await createSecondApp(network);
  await storeChannels(network.app.core.db, [{ id: 'garden', parentUrl: CHANNEL_URL }]);
  await storeMiniApps(
    network,
    ['one', 'two', 'three'].map((name) => ({ domain: `${name}.example`, name: `Chess ${name}` })),
  );
  const others = crowd.members.map(({ fid }) => fid);
  const urls = await storeCommunity(network.app.core.db, 'garden', FIDS.grace, others);
  await storeTopics(
    network.app.core.db,
    ['said', 'topic_1'].map((slug) => newTopic(slug)),
    network.app.invalidate,
  );
  await seeded.send(...urls.map((parent) => seeded.grace.cast({ text: 'Elsewhere', parent })));
});
afterAll(() => network.stop());

interface List {
  readonly id: string;
  readonly path: string;
  /** What makes another list of it, in place of what stands in the path. */
  readonly else: readonly [from: string, to: string];
}

/** Lists of social reads, and what it takes to be another list. */
const lists = (): List[] => {
  const url = encodeURIComponent(CHANNEL_URL);
  const target = hashOf(crowd.target);
  const another = hashOf(crowd.casts[0] as LargeNetwork['target']);
  const grace = `fid=${FIDS.grace}`;
  const list = (id: string, path: string, from = grace, to = `fid=${FIDS.dan}`): List => ({
    id,
    path: `/v2/social/${path}`,
    else: [from, to],
  });
  const cast = `identifier=${target}&type=hash`;
  return [
    list('fetch-users-by-location', 'user/by_location/?latitude=10&longitude=10', 'latitude=10', 'latitude=10.01'),
    list('search-user', 'user/search/?q=member', 'q=member', 'q=membe'),
    list('get-user-best-friends', `user/best_friends/?${grace}`),
    list('fetch-cast-quotes', `cast/quotes/?${cast}`, target, another),
    list('lookup-cast-conversation', `cast/conversation/?${cast}`, target, another),
    list('lookup-cast-conversation', `cast/conversation/?${cast}&sort_type=algorithmic`, 'algorithmic', 'chron'),
    list('search-casts', 'cast/search/?q=said', 'q=said', 'q=much'),
    list('search-casts', 'cast/search/?q=said&sort_type=chron', 'chron', 'desc_chron'),
    list('fetch-feed', `feed/?feed_type=following&${grace}`),
    list('fetch-feed', `feed/?feed_type=filter&filter_type=fids&fids=${FIDS.grace}`, 'fids=', 'fids=5,'),
    list('fetch-feed', 'feed/?filter_type=channel_id&channel_id=garden&members_only=false', 'false', 'true'),
    list('fetch-feed', `feed/?filter_type=embed_url&embed_url=${encodeURIComponent(EMBED_HOST)}`, 'pic', 'pix'),
    list('fetch-feed', 'feed/?filter_type=embed_types&embed_types=image', '=image', '=video'),
    list('fetch-user-following-feed', `feed/following/?${grace}`),
    list('fetch-feed-by-channel-ids', 'feed/channels/?channel_ids=garden&members_only=false', 'false', 'true'),
    list('fetch-feed-by-parent-urls', `feed/parent_urls/?parent_urls=${url}&with_replies=true`, '=true', '=false'),
    list('fetch-feed-by-topic', 'feed/topic/?slug=said&with_recasts=true', 'said', 'topic_1'),
    list('fetch-casts-for-user', `feed/user/casts/?${grace}`),
    list('fetch-casts-for-user', `feed/user/casts/?${grace}&include_replies=false`, '=false', '=true'),
    list(
      'fetch-replies-and-recasts-for-user',
      `feed/user/replies_and_recasts/?${grace}&filter=all`,
      '=all',
      '=recasts',
    ),
    ...[
      ['fetch-user-followers', 'followers', 'algorithmic', 'desc_chron'],
      ['fetch-user-following', 'following', 'algorithmic', 'desc_chron'],
      ['fetch-user-reciprocal-followers', 'followers/reciprocal', 'desc_chron', 'algorithmic'],
    ].flatMap(([id = '', path, sort = '', unlike]) => [
      list(id, `${path}/?${grace}`),
      list(id, `${path}/?${grace}&sort_type=${sort}`, sort, unlike),
    ]),
    list('search-channels', 'channel/search/?q=garden', 'q=garden', 'q=garde'),
    list('fetch-trending-channels', 'channel/trending/?time_window=7d', '7d', '30d'),
    list('fetch-users-active-channels', `channel/user/?${grace}`),
    list('fetch-user-channels', `user/channels/?${grace}`),
    list('fetch-followers-for-a-channel', 'channel/followers/?id=garden', 'garden', 'extra0'),
    list('fetch-channel-members', 'channel/member/list/?channel_id=garden', 'garden', 'extra0'),
    list('fetch-user-channel-memberships', `user/memberships/list/?${grace}`),
    list('fetch-channel-invites', 'channel/member/invite/list/?channel_id=garden', 'garden', 'extra0'),
    list('fetch-frame-catalog', 'frame/catalog/?time_window=7d', '7d', '24h'),
    list('search-frames', 'frame/search/?q=chess', 'q=chess', 'q=ches'),
    list('fetch-user-reactions', `reactions/user/?${grace}&type=all`, '=all', '=likes'),
    list('fetch-cast-reactions', `reactions/cast/?hash=${target}&types=likes,recasts`, ',recasts', ''),
    list('fetch-all-notifications', `notifications/?${grace}`),
    list('fetch-all-notifications', `notifications/?${grace}&type=likes,mentions`, 'likes,', ''),
    list(
      'fetch-channel-notifications-for-user',
      `notifications/channel/?${grace}&channel_ids=garden`,
      '=garden',
      '=other',
    ),
    list(
      'fetch-notifications-by-parent-url-for-user',
      `notifications/parent_url/?${grace}&parent_urls=${url}`,
      url,
      `${url}x`,
    ),
  ];
};

const operationOf = (id: string) => {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
};
const parameters = (id: string): Record<string, { maximum?: number }> => operationOf(id).query?.properties ?? {};

/** The member that a refusal names, in either form of the body. */
const refused = ({ status, body }: TestResponse) => [status, body.property ?? body.errors?.[0]?.path?.[0]];

const cursorOf = ({ body }: TestResponse): string => {
  const { next } = body.result ?? body.conversation ?? body;
  return (next ?? body.next).cursor;
};

/** Lists of channels, which every app sees alike. */
const SHARED = ['search-channels', 'fetch-trending-channels'];

test('a cursor serves its own list, for its own app and viewer, and only unaltered', async () => {
  const cursors = new Map<string, string>();
  for (const { path } of lists()) {
    const cursor = cursorOf(await network.get(`${path}&limit=1`));
    expect.soft({ path, cursor }).toEqual({ path, cursor: expect.any(String) });
    cursors.set(path, cursor);
    expect.soft([path, (await network.get(`${path}&limit=2&cursor=${cursor}`)).status]).toEqual([path, 200]);
  }
  for (const {
    id,
    path,
    else: [from, to],
  } of lists()) {
    const cursor = cursors.get(path) as string;
    const altered = [
      0,
      1,
      20,
      23,
      30,
      cursor.length >> 1,
      cursor.length - 44,
      cursor.length - 2,
      cursor.length - 1,
    ].map((at) => `${cursor.slice(0, at)}${cursor[at] === 'B' ? 'C' : 'B'}${cursor.slice(at + 1)}`);
    const wrong = [
      ...altered.map((one) => `${path}&cursor=${one}`),
      `${path}&cursor=${cursor.slice(0, -1)}`,
      `${path}&cursor=${cursor}A`,
      `${path.replace(from, to)}&cursor=${cursor}`,
      ...(parameters(id).viewer_fid ? [`${path}&viewer_fid=${FIDS.carol}&cursor=${cursor}`] : []),
    ];
    expect(path.replace(from, to)).not.toBe(path);
    for (const each of wrong) expect.soft([each, ...refused(await network.get(each))]).toEqual([each, 400, 'cursor']);
    const foreign = await network.get(`${path}&cursor=${cursor}`, other.headers);
    if (SHARED.includes(id)) expect.soft([path, foreign.status]).toEqual([path, 200]);
    else expect.soft([path, 'other app', ...refused(foreign)]).toEqual([path, 'other app', 400, 'cursor']);
  }
  // Each gets the cursor of the list before it.
  const paths = [...cursors.keys()];
  for (const [index, path] of paths.entries()) {
    const before = paths.at(index - 1) as string;
    const answer = await network.get(`${path}&cursor=${cursors.get(before)}`);
    expect.soft([path, before, ...refused(answer)]).toEqual([path, before, 400, 'cursor']);
  }
}, 180_000);

test('an account that nobody knows has empty lists', async () => {
  const own = `fid=${FIDS.grace}`;
  for (const { id, path } of lists().filter((list) => list.path.includes(`?${own}`))) {
    // The contract lists 404 for it.
    if (id === 'fetch-users-active-channels') continue;
    const { status, body } = await network.get(path.replace(own, 'fid=2000000001'));
    const [items] = Object.values(body).filter(Array.isArray);
    expect.soft([path, status, items, body.next]).toEqual([path, 200, [], { cursor: null }]);
  }
});
