import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestMirror, type TestMirror } from './support/channel-mirror.js';
import { listedChannel } from './support/fake-channel-client.js';
import { type HostileServer, startHostileServer, survive } from './support/hostile-feed.js';
import { hostileJson } from './support/hostile-json.js';
import { json } from './support/mini-app-zoo.js';
import { type Network, startNetwork } from './support/network.js';

/** Lists of the client whose channels are mirrored. */

const KIB = 1024;
const MIB = 1024 * KIB;
const IDS = ['garden', 'kitchen'];

let network: Network;
let server: HostileServer;
let mirror: TestMirror;

const LISTS: Readonly<Record<string, object>> = {
  '/v2/all-channels': { result: { channels: IDS.map((id) => listedChannel(id, { moderatorFids: [2, 3] })) } },
  '/v1/channel-followers': { result: { users: [{ fid: 4, followedAt: 1_712_685_000 }] } },
  '/fc/channel-members': { result: { members: [{ fid: 5, memberAt: 1_712_685_000 }] } },
  '/fc/channel-invites': {
    result: { invites: [{ invitedFid: 6, inviterFid: 2, invitedAt: 1_712_685_000, role: 'member' }] },
  },
  '/fc/channel-restricted-users': { result: { restrictedUsers: [] } },
  '/fc/channel-bans': { result: { bannedUsers: [] } },
};

beforeAll(async () => {
  server = await startHostileServer();
  server.sound = ({ path }, response) => json(response, LISTS[path.split('?', 1)[0] as string]);
  network = await startNetwork({ CASTELLAN_CHANNEL_SOURCE: 'client', CASTELLAN_CHANNEL_CLIENT_URL: server.url });
  mirror = createTestMirror(network);
  await mirror.syncChannels();
  await network.sql(
    `insert into channel_activity (counted_at, channel_id, cast_count_1d, cast_count_7d, cast_count_30d)
     select '2026-01-01', id, 1, 1, n from unnest($1::text[]) with ordinality as k(id, n)`,
    [IDS],
  );
});
afterAll(async () => {
  await network.stop();
  await server.stop();
});

/** A mirror whose client did not say when it is to be asked again. */
const anew = (turn: number): TestMirror => {
  mirror = createTestMirror(network);
  mirror.ahead = turn * 7 * 3_600_000;
  return mirror;
};
const ignoring = (work: Promise<void>): Promise<void> => work.catch(() => undefined);
const shown = async (): Promise<string[]> => {
  const { status, body } = await network.get('/v2/social/channel/list/?limit=200');
  expect(status).toBe(200);
  return body.channels.map(({ id }: { id: string }) => id);
};

test('the list of all channels', async () => {
  const good = LISTS['/v2/all-channels'];
  const count = await survive(
    {
      serve: server.serve,
      read: async (turn) => {
        await ignoring(anew(turn).syncChannels());
        // Whatever was listed, a channel that was stored before is shown.
        expect(await shown()).toEqual(expect.arrayContaining(IDS));
      },
      recover: async (turn) => {
        await anew(turn).syncChannels();
        expect(await shown()).toEqual(expect.arrayContaining(IDS));
      },
    },
    () =>
      hostileJson(good, {
        sizes: [8 * MIB],
        isLarge: (path) =>
          ['.result', '.result.channels', '.result.channels.0', '.result.channels.0.id'].includes(path),
      }),
  );
  expect(count).toBeGreaterThan(200);
}, 900_000);

test.each([
  ['/v1/channel-followers', '/v2/social/channel/followers/?id=garden&limit=10'],
  ['/fc/channel-members', '/v2/social/channel/member/list/?channel_id=garden'],
])(
  'the pages of %s',
  async (list, page) => {
    const good = LISTS[list] as object;
    const sound = server.sound;
    server.sound = ({ path }, response) => json(response, LISTS[path.split('?', 1)[0] as string]);
    const count = await survive(
      {
        serve: server.serve,
        read: async (turn) => {
          await ignoring(anew(turn).syncDetails());
          expect((await network.get(page)).status).toBe(200);
        },
        recover: async (turn) => {
          await anew(turn).syncDetails();
          expect(mirror.warnings()).toEqual([]);
        },
      },
      () => hostileJson({ ...good, next: { cursor: '' } }, { sizes: [500 * KIB] }),
    );
    server.sound = sound;
    expect(count).toBeGreaterThan(200);
  },
  900_000,
);
