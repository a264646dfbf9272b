import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectBlocks } from '../src/store/query/block.js';
import { createSecondApp } from './support/app.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { checkPaging, pageOverHttp } from './support/paging.js';
import { expectIndexed, explainReads } from './support/plan.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

let network: Network;
let seeded: Seeded;
let alice: string;
let bob: string;
/** Milliseconds that the service is ahead: blocks of one second stand in the order of their hashes. */
let later = 0;
beforeAll(async () => {
  network = await startNetwork({}, undefined, { clock: () => Date.now() + later });
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  alice = (await approvedSigner(network, seeded.alice)).uuid;
  bob = (await approvedSigner(network, seeded.bob)).uuid;
});
afterAll(() => network.stop());

const write = (method: 'POST' | 'DELETE', fid: unknown, signer = alice): Promise<TestResponse> =>
  network.send(method, '/v2/social/block/', { signer_uuid: signer, blocked_fid: fid });
const block = (fid: number, signer?: string) => write('POST', fid, signer);
const unblock = (fid: number, signer?: string) => write('DELETE', fid, signer);
const list = (query: string, headers?: Record<string, string>) =>
  network.get(`/v2/social/block/list/?${query}`, headers);

type Block = { blocker: { fid: number }; blocked: { fid: number } };
const pairs = ({ body }: TestResponse): string[] =>
  body.blocks.map(({ blocker, blocked }: Block) => `${blocker.fid}>${blocked.fid}`);

test('a block shows in the very next request, with both users', async () => {
  expect(await block(FIDS.erin)).toMatchObject({ status: 200, body: { success: true } });
  const { body } = await list(`blocker_fid=${FIDS.alice}`);
  expect(body).toMatchObject({
    blocks: [
      {
        object: 'block',
        blocked_at: expect.stringMatching(/Z$/),
        blocker: { object: 'user', fid: FIDS.alice, username: 'alice' },
        blocked: { object: 'user', fid: FIDS.erin, username: 'erin' },
      },
    ],
    next: { cursor: null },
  });
  expect(Math.abs(Date.parse(body.blocks[0].blocked_at) - Date.now())).toBeLessThan(60_000);
  const user = await network.get(`/v2/social/user/bulk/?fids=${FIDS.erin}&viewer_fid=${FIDS.alice}`);
  expect(user.body.users[0].viewer_context).toMatchObject({ blocking: true, blocked_by: false });
});

test('blocks are found by who blocks, who is blocked, and both', async () => {
  // Of the seed: erin blocks frank.
  later += 1000;
  await block(FIDS.frank);
  await block(FIDS.frank, bob);
  const { alice: a, bob: b, erin: e, frank: f } = FIDS;
  expect(pairs(await list(`blocker_fid=${a}`))).toEqual([`${a}>${f}`, `${a}>${e}`]);
  expect(new Set(pairs(await list(`blocked_fid=${f}`)))).toEqual(new Set([`${a}>${f}`, `${b}>${f}`, `${e}>${f}`]));
  expect(pairs(await list(`blocker_fid=${b}&blocked_fid=${f}`))).toEqual([`${b}>${f}`]);
  expect(pairs(await list(`blocker_fid=${b}&blocked_fid=${e}`))).toEqual([]);
  expect(pairs(await list('blocker_fid=4242'))).toEqual([]);
});

test('blocks and their taking back are repeatable, in any order within a second', async () => {
  for (const call of [block, block, unblock, unblock, block, unblock]) {
    expect(await call(FIDS.grace)).toMatchObject({ status: 200, body: { success: true } });
  }
  expect(pairs(await list(`blocked_fid=${FIDS.grace}`))).toEqual([]);
  expect(await block(FIDS.grace)).toMatchObject({ status: 200 });
  expect(pairs(await list(`blocked_fid=${FIDS.grace}`))).toEqual([`${FIDS.alice}>${FIDS.grace}`]);
  await unblock(FIDS.grace);
});

test('an account that is not stored can be blocked, and the list of blocks contains it', async () => {
  await block(4_242);
  const { body } = await list('blocked_fid=4242');
  expect(body.blocks).toHaveLength(1);
  expect(body.blocks[0]).toMatchObject({ object: 'block', blocker: { fid: FIDS.alice }, blocked: { fid: 4_242 } });
  await unblock(4_242);
});

test('an account that an app banned is left out of the list of blocks for that app only', async () => {
  const other = await createSecondApp(network);
  await network.send('POST', '/v2/social/ban/', { fids: [FIDS.erin] }, other.headers);
  expect(pairs(await list(`blocker_fid=${FIDS.alice}`, other.headers))).toEqual([`${FIDS.alice}>${FIDS.frank}`]);
  expect(pairs(await list(`blocked_fid=${FIDS.frank}`, other.headers))).not.toContain(`${FIDS.erin}>${FIDS.frank}`);
  expect(pairs(await list(`blocker_fid=${FIDS.alice}`))).toContain(`${FIDS.alice}>${FIDS.erin}`);
});

test.each([
  ['', 'blocker_fid'],
  ['limit=5', 'blocker_fid'],
  ['blocker_fid=0', 'blocker_fid'],
  ['blocked_fid=x', 'blocked_fid'],
  ['blocker_fid=2&limit=0', 'limit'],
  ['blocker_fid=2&limit=101', 'limit'],
  ['blocker_fid=2&cursor=AAAA', 'cursor'],
])('a bad list request names what is wrong: %s', async (query, property) => {
  expect(await list(query)).toMatchObject({ status: 400, body: { property } });
});

test('a cursor fits its own list alone', async () => {
  const { body } = await list(`blocker_fid=${FIDS.alice}&limit=1`);
  const { cursor } = body.next;
  expect(pairs(await list(`blocker_fid=${FIDS.alice}&limit=1&cursor=${cursor}`))).toHaveLength(1);
  for (const query of [`blocker_fid=${FIDS.bob}`, `blocker_fid=${FIDS.alice}&blocked_fid=${FIDS.erin}`]) {
    expect(await list(`${query}&cursor=${cursor}`)).toMatchObject({ status: 400, body: { property: 'cursor' } });
  }
});

test.each([[0], [-3], [1.5], ['2'], [2 ** 53], [null], [undefined], [FIDS.alice]])(
  'a bad block names what is wrong: %j',
  async (fid) => {
    for (const method of ['POST', 'DELETE'] as const) {
      expect(await write(method, fid)).toMatchObject({ status: 400, body: { property: 'blocked_fid' } });
    }
  },
);

test('only a signer that may write everything may block', async () => {
  const narrow = await approvedSigner(network, seeded.dan, { permissions: ['FOLLOW_USER'] });
  const { status, body } = await block(FIDS.erin, narrow.uuid);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body).toMatchObject({ property: 'signer_uuid', message: expect.stringContaining('WRITE_ALL') });
  expect(pairs(await list(`blocker_fid=${FIDS.dan}`))).toEqual([]);
});

test('every block is seen once while others come and go', async () => {
  const { db } = network.app.core;
  const rows = Array.from({ length: 12 }, (_, n) => ({ fid: 5_000 + n, ts: 1_000 + Math.floor(n / 3) }));
  const hashes = rows.map((_, n) => Buffer.alloc(20, n));
  await checkPaging({
    rows: 12,
    key: (n) => new Date((1_609_459_200 + (rows[n]?.ts ?? 0)) * 1000 + n).toISOString(),
    order: [...rows.keys()].reverse(),
    insert: async (which) => {
      for (const n of which)
        await db.run('insert into block (fid, blocked_fid, ts, hash) values ($1, $2, $3, $4)', [
          FIDS.heidi,
          rows[n]?.fid as number,
          rows[n]?.ts as number,
          hashes[n] as Buffer,
        ]);
      await db.run(
        `insert into account (fid, registered_at) select f, now() from unnest($1::bigint[]) f on conflict do nothing`,
        [which.map((n) => rows[n]?.fid as number)],
      );
    },
    remove: (which) =>
      db.run('delete from block where fid = $1 and hash = any($2)', [
        FIDS.heidi,
        which.map((n) => hashes[n] as Buffer),
      ]),
    page: pageOverHttp(network.get, `/v2/social/block/list/?blocker_fid=${FIDS.heidi}`, (body) =>
      body.blocks.map(({ blocked, blocked_at }: Block & { blocked_at: string }) =>
        new Date(Date.parse(blocked_at) + blocked.fid - 5_000).toISOString(),
      ),
    ),
  });
});

test('all three lists are read through an index', async () => {
  const [app] = await network.app.core.db.run<{ id: string }>('select app_id as id from api_key limit 1');
  const page = { appId: app?.id as string, after: undefined, limit: 21 };
  const plans = await explainReads(
    network.app.core.db,
    async (watched) => {
      await selectBlocks(watched, { blocker: 2, blocked: undefined }, page);
      await selectBlocks(watched, { blocker: undefined, blocked: 2 }, page);
      await selectBlocks(watched, { blocker: 2, blocked: 3 }, page);
    },
    { fewRows: true },
  );
  expectIndexed(plans);
});
