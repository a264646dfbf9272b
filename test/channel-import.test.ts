import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importCommand } from '../src/cli/command/import.js';
import { createOutput } from '../src/cli/terminal/output.js';
import { importChannels } from '../src/ingest/file/channel-import.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { upsertInvite } from '../src/store/channel/invite.js';
import { type Network, startNetwork } from './support/network.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-channel-'));
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
});
afterAll(async () => {
  await network.stop();
  await rm(folder, { recursive: true });
});

const garden = {
  id: 'garden',
  parent_url: CHANNEL_URL,
  name: 'Garden',
  description: 'Seeds and soil',
  image_url: 'https://image.example/garden.png',
  lead_fid: FIDS.carol,
  created_at: '2024-01-15T00:00:00Z',
  members: [
    { fid: FIDS.carol, role: 'owner' },
    { fid: FIDS.bob, role: 'member' },
  ],
};
const load = async (content: unknown) => {
  const { kept, ...report } = await importChannels(network.app.core.db, JSON.stringify(content));
  expect(kept).toEqual([]);
  return report;
};
const members = () =>
  network.app.core.db.run('select channel_id, fid, role from channel_member order by channel_id, fid');
const channelOf = async () => {
  const hash = Buffer.from(seeded.casts.channel.hash).toString('hex');
  return (await network.get(`/v2/social/casts/?casts=0x${hash}`)).body.result.casts[0].channel;
};

test('casts below the parent URL of a described channel carry it', async () => {
  expect(await channelOf()).toBeNull();
  expect(await load({ channels: [garden] })).toEqual({ channels: 1, members: 2 });
  await expect.poll(channelOf).toMatchObject({
    object: 'channel',
    id: 'garden',
    name: 'Garden',
    description: 'Seeds and soil',
    image_url: 'https://image.example/garden.png',
    parent_url: CHANNEL_URL,
    created_at: '2024-01-15T00:00:00.000Z',
    lead: { fid: FIDS.carol, username: 'carol' },
  });
});

test('a later description takes the place of the earlier one, within a second', async () => {
  await load({ channels: [garden] });
  await load([{ ...garden, name: 'Garten', members: [{ fid: FIDS.dan, role: 'moderator' }] }]);
  await expect.poll(async () => (await channelOf()).name).toBe('Garten');
  // The lead is the owner, whether the list of members names it or not.
  const now = [
    { channel_id: 'garden', fid: FIDS.carol, role: 'owner' },
    { channel_id: 'garden', fid: FIDS.dan, role: 'moderator' },
  ];
  expect(await members()).toEqual(now);
  const { members: _, ...silent } = garden;
  await load({ channels: [silent] });
  expect(await members()).toEqual(now);
});

test('the form of public lists is understood', async () => {
  const listed = {
    id: 'football',
    url: 'chain://eip155:1/erc721:0x7abfe142031532e1ad0e46f971cc0ef7cf4b98b0',
    name: 'Football ⚽',
    description: 'Goals',
    imageUrl: 'https://image.example/f.png',
    leadFid: FIDS.alice,
    moderatorFids: [FIDS.alice, FIDS.erin],
    createdAt: 1_691_015_606,
    followerCount: 27_926,
    memberCount: 13,
    descriptionMentions: [FIDS.bob],
    descriptionMentionsPositions: [5],
    headerImageUrl: 'https://image.example/header.png',
    externalLink: { title: 'Scores', url: 'https://scores.example' },
    pinnedCastHash: `0x${'ab'.repeat(20)}`,
    publicCasting: true,
  };
  expect(await load({ result: { channels: [listed] } })).toEqual({ channels: 1, members: 2 });
  expect((await members()).filter((row) => (row as { channel_id: string }).channel_id === 'football')).toEqual([
    { channel_id: 'football', fid: FIDS.alice, role: 'owner' },
    { channel_id: 'football', fid: FIDS.erin, role: 'moderator' },
  ]);
  const [row] = await network.app.core.db.run("select * from channel where id = 'football'");
  expect(row).toMatchObject({
    parent_url: listed.url,
    lead_fid: FIDS.alice,
    created_at: new Date('2023-08-02T22:33:26Z'),
    source: 'file',
    header_image_url: listed.headerImageUrl,
    public_casting: true,
    listed_follower_count: 27_926,
    listed_member_count: 13,
    member_count: 2,
  });
  expect((await network.get('/v2/social/channel/?id=football')).body.channel).toMatchObject({
    description: 'Goals@bob',
    description_mentioned_profiles: [{ fid: FIDS.bob }],
    follower_count: 27_926,
    member_count: 13,
    moderator_fids: [FIDS.erin],
    external_link: listed.externalLink,
    pinned_cast_hash: listed.pinnedCastHash,
  });
});

test('a list takes no channel from a source that decides about it', async () => {
  const listed = { id: 'kept', url: 'https://kept.example', name: 'Listed', createdAt: 1_691_015_606 };
  const own = { id: 'kept', parent_url: 'https://kept.example', name: 'Own', created_at: 1_691_015_606 };
  const nameAfter = async (content: unknown): Promise<string> => {
    await importChannels(network.app.core.db, JSON.stringify([content]));
    return (await network.sql<{ name: string }>("select name from channel where id = 'kept'"))[0]?.name as string;
  };
  expect(await nameAfter(listed)).toBe('Listed');
  // What the operator wrote takes the place of a list, and not the other way round.
  expect(await nameAfter(own)).toBe('Own');
  expect(await nameAfter(listed)).toBe('Own');
  for (const source of ['client', 'protocol']) {
    await network.sql("update channel set source = $1, name = 'Live' where id = 'kept'", [source]);
    expect([await nameAfter(own), await nameAfter(listed)]).toEqual(['Live', 'Live']);
  }
});

test('an open invite ends when a file gives the account the role, or a higher one', async () => {
  const { db } = network.app.core;
  await load({ channels: [garden] });
  const invited = { channelId: 'garden', inviterFid: FIDS.carol, invitedAt: new Date() };
  for (const [fid, role] of [
    [FIDS.bob, 'moderator'],
    [FIDS.dan, 'member'],
    [FIDS.erin, 'member'],
  ] as const)
    await upsertInvite(db, { ...invited, fid, role });
  const roles = { bob: 'member', dan: 'member', erin: 'moderator' } as const;
  const named = Object.entries(roles).map(([name, role]) => ({ fid: FIDS[name as keyof typeof roles], role }));
  await load({ channels: [{ ...garden, members: named }] });
  // The member's invite to be a moderator is still open.
  expect(await network.sql('select fid, role from channel_invite')).toEqual([{ fid: FIDS.bob, role: 'moderator' }]);
  expect(await audit(db)).toEqual([]);
  await network.sql('delete from channel_invite');
});

test('what does not fit is named by its path, and nothing of the file is stored', async () => {
  const cases: [unknown, RegExp][] = [
    [{ channels: [garden, { ...garden, id: 'x', parent_url: 'y', lead_fid: 0 }] }, /channels\[1\]\.lead_fid/],
    [{ channels: [{ ...garden, id: 'Garden!' }] }, /channels\[0\]\.id/],
    [[{ ...garden, name: undefined }], /\[0\]\.name is missing/],
    [{ channels: [{ ...garden, members: [{ fid: 2, role: 'king' }] }] }, /channels\[0\]\.members\[0\]\.role/],
    [
      { result: { channels: [{ id: 'a', url: 'b', name: 'c', createdAt: 'yesterday' }] } },
      /result\.channels\[0\]\.createdAt/,
    ],
    [{ channels: [garden, garden] }, /channels\[1\]\.id is the same as channels\[0\]\.id/],
    [{ channels: [garden, { ...garden, id: 'other' }] }, /channels\[1\] has a parent URL/],
    [{ channels: [{ ...garden, id: 'thief' }] }, /parent URL of the channel garden/],
    [{ channels: [garden, 7] }, /channels\[1\]/],
    [{ channels: 'all' }, /must hold a list/],
    [null, /must hold a list/],
  ];
  await load({ channels: [garden] });
  const before = await network.app.core.db.run('select * from channel order by id');
  for (const [content, message] of cases) {
    await expect(load(content)).rejects.toMatchObject({
      kind: 'invalid',
      property: 'file',
      message: expect.stringMatching(message),
    });
  }
  await expect(importChannels(network.app.core.db, '{"channels": [\n{"id": }\n]}')).rejects.toThrow(
    /no JSON, see line 2/,
  );
  expect(await network.app.core.db.run('select * from channel order by id')).toEqual(before);
});

test('by the command line', async () => {
  const file = join(folder, 'channels.json');
  await writeFile(file, JSON.stringify({ channels: [{ ...garden, name: 'From a file' }] }));
  const notes: string[] = [];
  const output = createOutput((event) => {
    if (event.type === 'note') notes.push(event.text);
  });
  const input = importCommand.input?.({
    args: [[]],
    options: { channels: 'channels.json' },
    cwd: folder,
    environment: {},
  });
  const context = { openCore: async () => network.app.core, signal: new AbortController().signal };
  expect(await importCommand.run(context as never, input, output)).toBe(0);
  expect(notes).toEqual(['1 channels and 2 members stored.']);
  // Inside the service its caches know before the command ends.
  expect((await channelOf()).name).toBe('From a file');
  expect(() => importCommand.input?.({ args: [[]], options: {}, cwd: folder, environment: {} })).toThrow('Name a file');
});
