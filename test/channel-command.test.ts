import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { exportChannels } from '../src/channel/export.js';
import { importChannels } from '../src/ingest/file/channel-import.js';
import { runCommandIn } from './support/command.js';
import { type Network, startNetwork } from './support/network.js';
import { rounds } from './support/rounds.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

/** The commands that make, change, list, import and export channels. */

const TABLES = ['channel', 'channel_parent_url', 'channel_member', 'channel_follow', 'channel_invite'];

let network: Network;
let seeded: Seeded;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-channel-command-'));
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
});
afterAll(async () => {
  await network.stop();
  await rm(folder, { recursive: true });
});
const empty = async (): Promise<void> => {
  for (const table of TABLES) await network.sql(`delete from ${table}`);
};
beforeEach(empty);

const run = (name: string, ...args: string[]) => runCommandIn(network, `channel ${name}`, args);
const shown = async (id: string) => (await network.get(`/v2/social/channel/?id=${id}`)).body.channel;

test('a channel is made, shown at once, changed, and led by another', async () => {
  expect((await network.get('/v2/social/channel/?id=garden')).status).toBe(404);
  const made = await run(
    'create',
    'garden',
    '--name',
    'Garden',
    '--lead',
    String(FIDS.carol),
    '--image',
    'https://i.example/g.png',
  );
  expect(made).toMatchObject({ code: 0, notes: expect.stringContaining('garden') });
  expect(await shown('garden')).toMatchObject({
    name: 'Garden',
    parent_url: 'https://farcaster.xyz/~/channel/garden',
    image_url: 'https://i.example/g.png',
    lead: { fid: FIDS.carol },
    member_count: 1,
  });
  await run(
    'set',
    'garden',
    '--description',
    'Seeds',
    '--image',
    '',
    '--link',
    'https://l.example',
    '--link-title',
    'Look',
  );
  const changed = await shown('garden');
  expect(changed).toMatchObject({
    name: 'Garden',
    description: 'Seeds',
    external_link: { url: 'https://l.example', title: 'Look' },
  });
  expect(changed).not.toHaveProperty('image_url');
  await run('lead', 'garden', String(FIDS.bob));
  expect(await shown('garden')).toMatchObject({ lead: { fid: FIDS.bob }, moderator_fids: [FIDS.carol] });
  const { out } = await run('list');
  expect(out).toMatch(/^garden +Garden +local +3 +0 +2 +\d{4}-\d\d-\d\d$/m);
  const one = await run('show', '/Garden');
  expect(one.out).toMatch(/^URL +https:\/\/warpcast\.com\/~\/channel\/garden$/m);
  expect(one.out).toMatch(/^4 +moderator/m);
});

test('casts under another URL belong to the channel as long as it is an alias', async () => {
  await run('create', 'garden', '--name', 'Garden', '--parent-url', 'https://own.example/garden');
  const cast = seeded.dan.cast({ text: 'Elsewhere', parent: 'https://other.example/garden' });
  await seeded.send(cast);
  const hash = `0x${Buffer.from(cast.hash).toString('hex')}`;
  const channelOf = async () => (await network.get(`/v2/social/casts/?casts=${hash}`)).body.result.casts[0].channel;
  expect(await channelOf()).toBeNull();
  await run('alias', 'garden', 'https://other.example/garden');
  expect(await channelOf()).toMatchObject({ id: 'garden', parent_url: 'https://own.example/garden' });
  await run('alias', 'garden', 'https://other.example/garden', '--remove');
  expect(await channelOf()).toBeNull();
});

test('a page of a channel that was removed does not come back when the channel changes', async () => {
  await run('create', 'garden', '--name', 'Garden', '--parent-url', 'https://own.example/garden');
  const spellings = () =>
    network.sql("select url from channel_parent_url where channel_id = 'garden' and url like '%warpcast.com%'");
  expect(await spellings()).toHaveLength(1);
  await run('alias', 'garden', 'https://warpcast.com/~/channel/garden', '--remove');
  await run('set', 'garden', '--name', 'Garden, again');
  expect(await spellings()).toEqual([]);
});

test('what cannot be is refused with what to do', async () => {
  await run('create', 'garden', '--name', 'Garden', '--parent-url', 'https://own.example/garden');
  const cases: [string, string[], RegExp][] = [
    ['create', ['garden', '--name', 'x'], /exists.*channel set garden/],
    ['create', ['Garden', '--name', 'x'], /lower-case/],
    ['create', ['with-dash', '--name', 'x'], /lower-case/],
    ['create', ['a'.repeat(17), '--name', 'x'], /1 to 16/],
    ['create', ['other', '--name', ' '], /1 to 256/],
    ['create', ['other', '--name', 'x', '--parent-url', 'https://own.example/garden'], /of the channel garden/],
    ['create', ['other', '--name', 'x', '--image', 'picture'], /--image takes an address/],
    ['set', ['garden'], /Say what to change/],
    ['set', ['nowhere', '--name', 'x'], /no channel nowhere/],
    ['lead', ['garden', 'carol'], /number of an account/],
    ['show', ['nowhere'], /channel list/],
    ['list', ['--source', 'moon'], /local, file, client, protocol/],
    ['list', ['--limit', '0'], /from 1 to/],
    ['alias', ['garden', 'https://own.example/garden', '--remove'], /answers show it/],
    ['alias', ['garden', 'https://none.example', '--remove'], /no URL of the channel/],
    ['alias', ['garden', 'none'], /takes an address/],
  ];
  for (const [name, args, message] of cases) await expect(run(name, ...args)).rejects.toThrow(message);
  for (const [source, message] of [
    ['client', /client that is mirrored/],
    ['file', /imported list/],
  ] as const) {
    await network.sql('update channel set source = $1', [source]);
    await expect(run('set', 'garden', '--name', 'x')).rejects.toThrow(message);
    await expect(run('lead', 'garden', '3')).rejects.toThrow(message);
  }
});

const rows = async (): Promise<unknown> => {
  const all: unknown[] = [];
  for (const table of TABLES.slice(0, 4)) {
    const order = table === 'channel' ? 'id' : table === 'channel_parent_url' ? 'url' : 'channel_id, fid';
    const found = await network.sql<Record<string, unknown>>(`select * from ${table} order by ${order}`);
    all.push(found.map(({ updated_at: _, ...row }) => row));
  }
  return all;
};

test('an export is imported as it was', async () => {
  const text = fc
    .oneof(fc.string({ maxLength: 40 }), fc.constantFrom('"\\', '🌱 é', '</script>', '\u2028'))
    .map((one) => one.replaceAll('\0', '') || 'x');
  const at = fc
    .date({ min: new Date('2021-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
    .map((one) => new Date(Math.floor(one.getTime() / 1000) * 1000).toISOString());
  const fid = fc.integer({ min: 1, max: 2 ** 40 });
  const channel = fc.record(
    {
      name: text.filter((one) => one.length <= 256),
      description: text,
      description_mentions: fc.array(fid, { maxLength: 2 }),
      description_mention_positions: fc.array(fc.nat(100), { maxLength: 2 }),
      image_url: fc.webUrl(),
      header_image_url: fc.webUrl(),
      external_link: fc.record({ url: fc.webUrl(), title: text }, { requiredKeys: ['url'] }),
      lead_fid: fid,
      pinned_cast_hash: fc.constant(`0x${'cd'.repeat(20)}`),
      public_casting: fc.boolean(),
      created_at: at,
      members: fc.uniqueArray(fc.record({ fid, role: fc.constantFrom('member', 'moderator'), since: at }), {
        selector: (one) => one.fid,
        maxLength: 5,
      }),
      followers: fc.uniqueArray(fc.record({ fid, followed_at: at }), { selector: (one) => one.fid, maxLength: 5 }),
    },
    { requiredKeys: ['name', 'created_at'] },
  );
  const { db } = network.app.core;
  await fc.assert(
    fc.asyncProperty(fc.array(channel, { maxLength: 4 }), async (channels) => {
      await empty();
      const file = channels.map((one, n) => ({ ...one, id: `c${n}`, parent_url: `https://p.example/${n}` }));
      await importChannels(db, JSON.stringify({ channels: file }));
      const before = await rows();
      let exported = '';
      for await (const piece of exportChannels(db, undefined)) exported += piece;
      await empty();
      expect((await importChannels(db, exported)).channels).toBe(channels.length);
      expect(await rows()).toEqual(before);
    }),
    { numRuns: rounds(20), endOnFailure: true },
  );
});

test('some channels are written to a file, which another one reads', async () => {
  await run('create', 'garden', '--name', 'Garden', '--lead', '4');
  await run('create', 'kitchen', '--name', 'Kitchen');
  const file = join(folder, 'out.json');
  await run('export', file, 'garden');
  const written = JSON.parse(await readFile(file, 'utf8'));
  expect(written.channels.map(({ id }: { id: string }) => id)).toEqual(['garden']);
  await empty();
  expect((await run('import', file)).notes).toContain('1 channels');
  expect((await shown('garden')).lead.fid).toBe(4);
  await expect(run('import', join(folder, 'none.json'))).rejects.toThrow(/cannot be read/);
  await writeFile(file, '{');
  await expect(run('import', file)).rejects.toThrow(/no JSON/);
});
