import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../src/access/key.js';
import { operations } from '../src/api/operation-list.js';
import { insertApp } from '../src/store/access/app.js';
import { insertOrganization } from '../src/store/access/organization.js';
import { INVALIDATE_ALL } from '../src/store/change.js';
import { createSecondApp, type SecondApp } from './support/app.js';
import { storeChannels } from './support/channel.js';
import { EMBED_HOST, EMBED_PAGE, fillTables, type LargeNetwork, loadLargeNetwork } from './support/large-network.js';
import { storeMiniApps } from './support/mini-app-catalog.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { hashOf } from './support/notification.js';
import { explain, scansOf } from './support/plan.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';
import { markHandlers, namesOf, type Sent, watchHandlers } from './support/sent-statement.js';
import { newTopic, storeTopics } from './support/topic.js';

let network: Network;
let seeded: Seeded;
let crowd: LargeNetwork;
let other: SecondApp;

let sentNow: () => Sent[];

beforeAll(async () => {
  markHandlers();
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  crowd = await loadLargeNetwork(seeded, (items) => network.load(items));
  other = await createSecondApp(network);
  const fids = crowd.members.map(({ fid }) => fid);
  await storeChannels(network.app.core.db, [{ id: 'garden', parentUrl: CHANNEL_URL, leadFid: FIDS.carol }]);
  await network.sql(
    "insert into channel_follow (channel_id, fid, followed_at) select 'garden', f, now() from unnest($1::bigint[]) f",
    [fids],
  );
  await network.sql(
    `insert into channel_member (channel_id, fid, role, since)
     select 'garden', f, 'member', now() from unnest($1::bigint[]) f where f <> $2`,
    [fids, FIDS.carol],
  );
  await network.sql(
    `insert into channel_invite (channel_id, fid, inviter_fid, role, invited_at)
     select 'garden', f, $2, 'member', now() from unnest($1::bigint[]) f`,
    [fids, FIDS.carol],
  );
  await storeChannels(
    network.app.core.db,
    Array.from({ length: 204 }, (_, n) => ({ id: `hobby${n}`, parentUrl: `https://hobby.example/${n}` })),
  );
  await network.sql('insert into ban (fid, app_id) select f, $1 from unnest($2::bigint[]) f', [other.id, fids]);
  await network.sql('insert into mute (fid, app_id, muted_fid) select $3, $1, f from unnest($2::bigint[]) f', [
    other.id,
    fids,
    FIDS.bob,
  ]);
  await network.sql(
    `insert into host_notification (app_id, fid, domain, notification_id, id, title, body, target_url, created_at)
     select $1, $2, 'app.example', n::text, gen_random_uuid(), 'Title', 'Body', 'https://app.example/', now() - n * interval '1 second'
       from generate_series(1, 104) n`,
    [other.id, GRACE],
  );
  const topics = ['said', ...fids.slice(0, 29).map((fid) => `topic_${fid}`)];
  await storeTopics(
    network.app.core.db,
    topics.map((slug, n) => newTopic(slug, fids.slice(n, n + 5))),
    network.app.invalidate,
  );
  await storeMiniApps(
    network,
    Array.from({ length: 104 }, (_, n) => ({ domain: `m${n}.example`, name: `Chess ${n}`, authorFid: GRACE })),
  );
  await network.sql(
    `insert into catalog_domain (domain, found_at, next_fetch_at)
     select 'd' || n || '.example', now(), now() + interval '1 year' from generate_series(1, 20000) n`,
  );
  await network.sql(
    `insert into catalog_score
     select now() - h * interval '1 hour', 'm' || n || '.example', n, 0, 0, n, n, n, n, n
       from generate_series(1, 192) h, generate_series(0, 103) n`,
  );
  await network.sql(
    `insert into mini_app_token (app_id, fid, client_fid, url, token, status, digests, created_at, updated_at)
     select $1, n, 1, 'https://host.example/', n::text, 'enabled', '{}', now(), now() from generate_series(1, 104) n`,
    [other.id],
  );
  await network.sql(
    `insert into campaign (id, app_id, body_digest, title, body, target_url, status, token_count, disabled_count,
                           client_fids, result, created_at, completed_at)
     select gen_random_uuid(), $1, '', 'Title', 'Body', 'https://app.example/', 'completed', 0, 0, '{}', '[]',
            now() - n * interval '1 second', now() from generate_series(1, 104) n`,
    [other.id],
  );
  for (let n = 0; n < 104; n++) {
    const made = await insertOrganization(network.app.core.db, { name: `Customer ${n}` });
    await insertApp(network.app.core.db, { organizationId: made?.id as string, name: 'App' });
  }
  await network.sql(
    `insert into audit_log (organization_id, action, detail, created_at)
     select id, 'organization.changed', '{}', now() from organization, generate_series(1, 104) n`,
  );
  await fillTables((text) => network.app.core.db.script(text));
  sentNow = watchHandlers(network);
});
afterAll(() => network.stop());

/** A list: its path up to what says how long the page is. */
interface List {
  readonly id: string;
  readonly path: string;
  /** Length of a page, as the query names it; a function for those that are asked for by ids. */
  readonly size: (rows: number) => string;
  readonly most: number;
  /** The shortest page that holds an item of each kind; 1 unless given. */
  readonly least?: number;
  /** Items of an answer; the longest array at its top unless given. */
  readonly items?: (body: TestResponse['body']) => readonly unknown[];
  readonly inOther?: true;
}

const GRACE = FIDS.grace;
const limit = (rows: number): string => `limit=${rows}`;
const pageSize = (rows: number): string => `pageSize=${rows}`;

/** @param most items in a page of the greatest length */
const v2 = (id: string, path: string, most: number, more: Partial<List> = {}): List => ({
  id,
  path: `/v2/social/${path}`,
  size: limit,
  most,
  ...more,
});
const hub = (id: string, path: string): List => ({ id, path: `/v1/${path}`, size: pageSize, most: 1000 });

const lists = (): List[] => {
  const url = encodeURIComponent(CHANNEL_URL);
  const page = encodeURIComponent(EMBED_PAGE);
  const target = hashOf(crowd.target);
  const cast = `identifier=${target}&type=hash`;
  const hundred = Array.from({ length: 100 }, (_, n) => n + 1);
  const viewer = `viewer_fid=${FIDS.carol}`;
  const take =
    <T>(from: readonly T[], name: string, text: (one: T) => string) =>
    (rows: number) =>
      `${name}=${from.slice(0, rows).map(text).join(',')}`;
  const { members, casts } = crowd;
  return [
    v2('fetch-bulk-users', `user/bulk/?${viewer}`, 100, { size: take(members, 'fids', ({ fid }) => String(fid)) }),
    v2('fetch-bulk-users-by-eth-or-sol-address', `user/bulk-by-address/?${viewer}`, 104, {
      size: take(members, 'addresses', ({ custody }) => `0x${Buffer.from(custody.address).toString('hex')}`),
      items: (body) => Object.keys(body),
    }),
    v2('fetch-bulk-casts', `casts/?${viewer}`, 25, {
      size: take(casts, 'casts', hashOf),
      items: (body) => body.result.casts,
    }),
    v2('search-user', `user/search/?q=member&${viewer}`, 10, { items: (body) => body.result.users }),
    v2('fetch-users-by-location', `user/by_location/?latitude=10&longitude=10&${viewer}`, 100),
    v2('get-user-best-friends', `user/best_friends/?fid=${GRACE}`, 100),
    v2('fetch-cast-quotes', `cast/quotes/?${cast}&${viewer}`, 100),
    v2('lookup-cast-conversation', `cast/conversation/?${cast}&reply_depth=2&${viewer}`, 50, {
      items: (body) => body.conversation.cast.direct_replies,
    }),
    v2('lookup-cast-conversation', `cast/conversation/?${cast}&reply_depth=1&sort_type=algorithmic&${viewer}`, 50, {
      items: (body) => body.conversation.cast.direct_replies,
    }),
    ...['', '&sort_type=chron', '&channel_id=garden'].map((more) =>
      v2('search-casts', `cast/search/?q=said&${viewer}${more}`, 100, { items: (body) => body.result.casts }),
    ),
    ...[
      `feed_type=following&fid=${GRACE}`,
      `feed_type=filter&filter_type=fids&fids=${members.slice(0, 100).map(({ fid }) => fid)}`,
      `feed_type=filter&filter_type=parent_url&parent_url=${url}`,
      'feed_type=filter&filter_type=channel_id&channel_id=garden&members_only=false',
      `feed_type=filter&filter_type=embed_url&embed_url=${encodeURIComponent(`${EMBED_HOST}a/`)}`,
      'feed_type=filter&filter_type=embed_types&embed_types=image',
    ].map((filter) => v2('fetch-feed', `feed/?${filter}&${viewer}`, 100)),
    v2('fetch-user-following-feed', `feed/following/?fid=${GRACE}&${viewer}`, 100),
    v2('fetch-feed-by-channel-ids', `feed/channels/?channel_ids=garden&members_only=false&${viewer}`, 100),
    v2('fetch-feed-by-parent-urls', `feed/parent_urls/?parent_urls=${url}&${viewer}`, 100),
    v2('fetch-feed-by-parent-urls', `feed/parent_urls/?parent_urls=${url}&with_replies=true&${viewer}`, 100),
    v2('fetch-feed-by-topic', `feed/topic/?slug=said&${viewer}`, 100),
    v2('fetch-casts-for-user', `feed/user/casts/?fid=${GRACE}&${viewer}`, 150),
    v2('fetch-replies-and-recasts-for-user', `feed/user/replies_and_recasts/?fid=${GRACE}&${viewer}`, 50),
    ...['desc_chron', 'algorithmic'].flatMap((sort) => [
      v2('fetch-user-followers', `followers/?fid=${GRACE}&sort_type=${sort}&${viewer}`, 100),
      v2('fetch-user-following', `following/?fid=${GRACE}&sort_type=${sort}&${viewer}`, 100),
      v2('fetch-user-reciprocal-followers', `followers/reciprocal/?fid=${GRACE}&sort_type=${sort}&${viewer}`, 100),
    ]),
    v2('fetch-follow-suggestions', `following/suggested/?fid=${FIDS.dan}&${viewer}`, 100),
    v2('fetch-user-reactions', `reactions/user/?fid=${GRACE}&type=all&${viewer}`, 100),
    v2('fetch-cast-reactions', `reactions/cast/?hash=${target}&types=likes,recasts&${viewer}`, 100),
    v2('fetch-all-notifications', `notifications/?fid=${GRACE}`, 25, { least: 3 }),
    ...['likes', 'mentions', 'replies', 'quotes'].map((kind) =>
      v2('fetch-all-notifications', `notifications/?fid=${GRACE}&type=${kind}`, 25),
    ),
    v2('fetch-channel-notifications-for-user', `notifications/channel/?fid=${GRACE}&channel_ids=garden`, 25, {
      least: 3,
    }),
    v2('fetch-notifications-by-parent-url-for-user', `notifications/parent_url/?fid=${GRACE}&parent_urls=${url}`, 25, {
      least: 3,
    }),
    v2('fetch-bulk-channels', `channel/bulk/?${viewer}`, 100, {
      size: (rows) => `ids=${['garden', ...Array.from({ length: rows - 1 }, (_, n) => `other${1_000_001 + n}`)]}`,
    }),
    v2('fetch-all-channels', 'channel/list/?', 200),
    v2('search-channels', `channel/search/?q=hobby&${viewer}`, 200),
    v2('fetch-trending-channels', 'channel/trending/?time_window=7d', 25),
    v2('list-trending-topics', 'topic/trending/?', 25),
    v2('fetch-users-active-channels', `channel/user/?fid=${GRACE}`, 100),
    v2('fetch-user-channels', `user/channels/?fid=${GRACE}`, 100),
    v2('fetch-followers-for-a-channel', `channel/followers/?id=garden&${viewer}`, 1000),
    v2('fetch-channel-members', 'channel/member/list/?channel_id=garden', 100),
    v2('fetch-user-channel-memberships', `user/memberships/list/?fid=${GRACE}`, 100),
    v2('fetch-channel-invites', 'channel/member/invite/list/?', 100),
    v2('fetch-channel-invites', 'channel/member/invite/list/?channel_id=garden', 100),
    v2('fetch-frame-catalog', 'frame/catalog/?', 100),
    v2('search-frames', 'frame/search/?q=chess', 100),
    v2('fetch-mute-list', `mute/list/?fid=${FIDS.bob}`, 100, { inOther: true }),
    v2('fetch-ban-list', 'ban/list/?', 100, { inOther: true }),
    v2('fetch-block-list', `block/list/?blocker_fid=${FIDS.erin}`, 100),
    v2('fetch-block-list', `block/list/?blocked_fid=${FIDS.heidi}`, 100),
    v2('app-host-get-user-notifications', `app_host/user/notifications/?fid=${GRACE}`, 100, { inOther: true }),
    v2('fetch-notification-tokens', 'frame/notification_tokens/?', 100, { inOther: true }),
    v2('fetch-notification-tokens', `frame/notification_tokens/?fids=${hundred}`, 100, { inOther: true }),
    v2('get-notification-campaign-stats', 'frame/notifications/?', 1000, { inOther: true }),
    hub('hub-fetch-users-casts', `castsByFid?fid=${GRACE}`),
    hub('hub-fetch-casts-mentioning-user', `castsByMention?fid=${GRACE}`),
    hub('hub-fetch-casts-by-parent', `castsByParent?fid=${GRACE}&hash=${target}`),
    hub('hub-fetch-casts-by-parent', `castsByParent?url=${page}`),
    hub('hub-fetch-cast-reactions', `reactionsByCast?target_fid=${GRACE}&target_hash=${target}&reaction_type=Like`),
    hub('hub-fetch-user-reactions', `reactionsByFid?fid=${GRACE}&reaction_type=Like`),
    hub('hub-fetch-reactions-by-target', `reactionsByTarget?url=${page}&reaction_type=Like`),
    hub('hub-fetch-user-following', `linksByFid?fid=${GRACE}&link_type=follow`),
    hub('hub-fetch-user-followers', `linksByTargetFid?target_fid=${GRACE}&link_type=follow`),
    hub('hub-fetch-user-data', `userDataByFid?fid=${GRACE}`),
    hub('hub-fetch-fids', 'fids?shard_id=1'),
    hub('hub-fetch-verifications-by-fid', `verificationsByFid?fid=${GRACE}`),
    { ...v2('list-organizations', '', 100), path: '/operator/organizations?' },
    { ...v2('list-apps', '', 100), path: '/operator/apps?' },
    {
      ...v2('fetch-organization-log', '', 100),
      path: `/operator/organization/log?organization_uuid=${DEFAULT_ORGANIZATION_ID}`,
    },
  ];
};

/**
 * One lists what a chain says; the attempts of a webhook are read in test/webhook.test.ts; the casts of a summary, in
 * test/conversation-summary.test.ts; events, of which this network has none, by their id in test/hub-query.test.ts; ranked
 * feeds, for which its casts are too old, in test/ranked-feed.test.ts and src/store/feed/plan.test.ts; signers and channels
 * of the protocol, which it has not, in src/store/hub/list-plan.test.ts; refused items, of which there are few or none, in
 * test/operator.test.ts, and signers of an app in test/console-signer.test.ts.
 */
const ELSEWHERE = [
  'get-wallet-balances',
  'fetch-webhook-deliveries',
  'lookup-cast-conversation-summary',
  'hub-fetch-events',
  'fetch-trending-feed',
  'fetch-feed-for-you',
  'hub-fetch-signers-by-fid',
  'list-refused-items',
  'list-failing-webhooks',
  'list-app-signers',
  'list-requests',
  'list-service-requests',
  'list-mini-app-faults',
  'list-collections',
  'hub-fetch-user-on-chain-signers-events',
  ...operations.filter(({ tags }) => tags.includes('Hub Channels')).map(({ id }) => id),
];

/** One account has a few of it at most. */
const SHORT = new Set(['fetch-users-active-channels', 'hub-fetch-user-data', 'hub-fetch-verifications-by-fid']);

const FOUND = 'found_url_metadata';

const arrayOf = (body: TestResponse['body']): readonly unknown[] =>
  Object.values(body).find((member): member is unknown[] => Array.isArray(member)) ?? [];

/** What a page asks of the database when nothing is at hand. */
const ask = async ({ path, size, items = arrayOf, inOther }: List, rows: number) => {
  network.app.invalidate(INVALIDATE_ALL);
  sentNow();
  const full = `${path}${path.endsWith('?') ? '' : '&'}${size(rows)}`;
  const { status, body } = await network.get(full, inOther && other.headers);
  expect.soft({ path: full, status, message: body.message }).toEqual({ path: full, status: 200 });
  return { found: items(body).length, sent: sentNow() };
};

test('every operation with a page is tried here', () => {
  const tried = new Set([...lists().map(({ id }) => id), ...ELSEWHERE]);
  const missing = operations.filter(({ id, method, query }) => {
    const names = Object.keys(query?.properties ?? {});
    return method === 'GET' && names.some((name) => name === 'limit' || name === 'pageSize') && !tried.has(id);
  });
  expect(missing.map(({ id }) => id)).toEqual([]);
});

test('a page takes the same statements whatever its size, and each goes through an index', async () => {
  const statements = new Map<string, Sent>();
  for (const list of lists()) {
    const few = list.least ?? 1;
    const one = await ask(list, few);
    const many = await ask(list, list.most);
    // Sent once for all casts of a page, if one of them embeds an address, which the only one of a short page may not.
    const own = namesOf(one.sent);
    const isMissing = namesOf(many.sent).includes(FOUND) && !own.includes(FOUND);
    const expected = isMissing ? [...own, FOUND].sort() : own;
    expect.soft({ path: list.path, sent: namesOf(many.sent) }).toEqual({ path: list.path, sent: expected });
    expect.soft(one.sent.length, list.path).toBeGreaterThan(0);
    expect.soft(one.sent.length, list.path).toBeLessThanOrEqual(20);
    expect.soft(one.found, list.path).toBe(few);
    if (!SHORT.has(list.id)) expect.soft(many.found, list.path).toBeGreaterThanOrEqual(Math.min(list.most, 104));
    for (const each of many.sent) statements.set(each.statement.name, each);
  }
  const { db } = network.app.core;
  for (const { statement, params } of statements.values()) {
    // So many channels match that reading all of them is cheaper; src/store/channel/list.test.ts looks for few.
    if (statement.name === 'channel_search') continue;
    // For an operator, who has few customers: their tables are read whole.
    if (['organization_list', 'app_list'].includes(statement.name)) continue;
    // Each reads one row, the last of an index.
    if (['channel_activity_latest', 'topic_run_latest', 'catalog_score_latest'].includes(statement.name)) continue;
    expect.soft(scansOf(await explain(db, statement, params))).toEqual([]);
  }
});
