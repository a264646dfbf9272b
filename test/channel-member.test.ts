import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { storeChannels } from './support/channel.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { checkPaging, pageOverHttp } from './support/paging.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

/** Members of channels: invites, roles, removals, and the lists of both sides. Carol leads, bob moderates. */

let network: Network;
let seeded: Seeded;
const signers: Record<'carol' | 'bob' | 'dan' | 'erin', string> = { carol: '', bob: '', dan: '', erin: '' };
type Name = keyof typeof signers;

beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  for (const name of Object.keys(signers) as Name[]) signers[name] = (await approvedSigner(network, seeded[name])).uuid;
});
afterAll(() => network.stop());
beforeEach(async () => {
  for (const table of ['channel', 'channel_parent_url', 'channel_member', 'channel_invite', 'channel_follow'])
    await network.sql(`delete from ${table}`);
  await network.sql('delete from channel_restriction');
  await network.sql('delete from rate_limit');
  await storeChannels(network.app.core.db, [
    { id: 'garden', parentUrl: CHANNEL_URL, leadFid: FIDS.carol },
    { id: 'kitchen', parentUrl: 'https://channel.example/kitchen', leadFid: FIDS.carol },
  ]);
  await join('bob', 'moderator');
  await network.sql(`insert into channel_follow select 'garden', f, now() from unnest($1::bigint[]) f`, [
    [FIDS.dan, FIDS.erin],
  ]);
});

const join = (name: Name, role: string) =>
  network.sql(`insert into channel_member (channel_id, fid, role, since) values ('garden', $1, $2, now())`, [
    FIDS[name],
    role,
  ]);

const base = '/v2/social/channel/member/';
const invite = (by: Name, whom: Name | number, role = 'member', channel_id = 'garden') =>
  network.send('POST', `${base}invite/`, {
    signer_uuid: signers[by],
    channel_id,
    fid: typeof whom === 'number' ? whom : FIDS[whom],
    role,
  });
const respond = (by: Name, accept: boolean, role = 'member', channel_id = 'garden') =>
  network.send('PUT', `${base}invite/`, { signer_uuid: signers[by], channel_id, role, accept });
const remove = (by: Name, whom: Name, role = 'member') =>
  network.send('DELETE', base, { signer_uuid: signers[by], channel_id: 'garden', fid: FIDS[whom], role });
const members = async (more = ''): Promise<[number, string][]> =>
  (await network.get(`${base}list/?channel_id=garden${more}`)).body.members.map(
    ({ user, role }: { user: { fid: number }; role: string }) => [user.fid, role],
  );
const invites = async (more = ''): Promise<[number, string][]> =>
  (await network.get(`${base}invite/list/?${more}`)).body.invites.map(
    ({ invited, role }: { invited: { fid: number }; role: string }) => [invited.fid, role],
  );
const ok = ({ status, body }: TestResponse) => expect([status, body]).toEqual([200, { success: true }]);
const refused = ({ status, body }: TestResponse, property: string) =>
  expect({ status, property: body.property }, body.message).toEqual({ status: 400, property });

test('an invited follower accepts, and is a member everywhere at once', async () => {
  for (let turn = 0; turn < 3; turn++) {
    expect(await members()).toEqual([
      [FIDS.carol, 'owner'],
      [FIDS.bob, 'moderator'],
    ]);
  }
  ok(await invite('bob', 'dan'));
  ok(await invite('bob', 'dan'));
  expect(await invites('channel_id=garden')).toEqual([[FIDS.dan, 'member']]);
  const [shown] = (await network.get(`${base}invite/list/?invited_fid=${FIDS.dan}`)).body.invites;
  expect(shown).toMatchObject({ channel_id: 'garden', role: 'member', inviter: { fid: FIDS.bob, object: 'user' } });
  ok(await respond('dan', true));
  expect(await invites()).toEqual([]);
  expect(await members()).toEqual([
    [FIDS.carol, 'owner'],
    [FIDS.bob, 'moderator'],
    [FIDS.dan, 'member'],
  ]);
  const { channel } = (await network.get(`/v2/social/channel/?id=garden&viewer_fid=${FIDS.dan}`)).body;
  expect(channel.viewer_context).toEqual({ following: true, role: 'member' });
  const { body } = await network.get(`/v2/social/user/memberships/list/?fid=${FIDS.dan}`);
  expect(body.members).toMatchObject([
    {
      object: 'member',
      role: 'member',
      user: { object: 'user_dehydrated', fid: FIDS.dan },
      channel: { object: 'channel', id: 'garden' },
    },
  ]);
  // The invite has ended.
  refused(await respond('dan', true), 'channel_id');
});

test('a declined invite is gone, and may be sent again', async () => {
  ok(await invite('carol', 'dan'));
  ok(await respond('dan', false));
  expect([await invites(), (await members()).length]).toEqual([[], 2]);
  ok(await invite('carol', 'dan'));
  expect(await invites()).toHaveLength(1);
});

test('a follower of the inviter may be invited without following the channel', async () => {
  await network.sql('delete from channel_follow');
  refused(await invite('carol', 'erin'), 'fid');
  await seeded.send(seeded.erin.follow(FIDS.carol));
  ok(await invite('carol', 'erin'));
  refused(await invite('bob', 'dan'), 'fid');
  await seeded.send(seeded.erin.unfollow(FIDS.carol));
});

test('a member becomes moderator by an invite of the owner, which takes the place of another invite', async () => {
  refused(await invite('carol', 'dan', 'moderator'), 'fid');
  ok(await invite('carol', 'dan'));
  ok(await respond('dan', true));
  refused(await invite('bob', 'dan', 'moderator'), 'signer_uuid');
  ok(await invite('carol', 'dan', 'moderator'));
  refused(await respond('dan', true, 'member'), 'role');
  ok(await respond('dan', true, 'moderator'));
  expect(await members(`&fid=${FIDS.dan}`)).toEqual([[FIDS.dan, 'moderator']]);
  refused(await invite('carol', 'dan', 'member'), 'fid');
  const { channel } = (await network.get('/v2/social/channel/?id=garden')).body;
  expect(channel).toMatchObject({ moderator_fids: [FIDS.bob, FIDS.dan] });
});

test('who is banned by the app is in none of the lists', async () => {
  await join('dan', 'member');
  ok(await invite('carol', 'erin'));
  await network.send('POST', '/v2/social/ban/', { fids: [FIDS.dan, FIDS.erin] });
  expect([await members(`&fid=${FIDS.dan}`), await invites()]).toEqual([[], []]);
  await network.send('DELETE', '/v2/social/ban/', { fids: [FIDS.dan, FIDS.erin] });
  expect([await members(`&fid=${FIDS.dan}`), await invites()]).toEqual([
    [[FIDS.dan, 'member']],
    [[FIDS.erin, 'member']],
  ]);
});

test('what is not allowed is refused with the member at fault', async () => {
  refused(await invite('dan', 'erin'), 'signer_uuid');
  refused(await invite('carol', 'dan', 'owner'), 'role');
  refused(await invite('carol', 'dan', 'king'), 'role');
  refused(await invite('carol', 'carol'), 'fid');
  refused(await invite('carol', 'bob', 'moderator'), 'fid');
  refused(await invite('carol', 0), 'fid');
  refused(await invite('carol', 'dan', 'member', 'nowhere'), 'channel_id');
  refused(await respond('dan', true), 'channel_id');
  refused(await respond('dan', true, 'owner'), 'role');
  refused(await respond('dan', true, 'member', 'nowhere'), 'channel_id');
  refused(await remove('dan', 'bob', 'moderator'), 'signer_uuid');
  refused(await remove('bob', 'carol', 'owner'), 'role');
  refused(await remove('carol', 'carol', 'owner'), 'role');
  for (const path of [`${base}list/?channel_id=nowhere`, `${base}invite/list/?channel_id=nowhere`]) {
    refused(await network.get(path), 'channel_id');
  }
  expect([await members(`&fid=${FIDS.erin}`), await invites(`invited_fid=${FIDS.erin}`)]).toEqual([[], []]);
  await network.sql("insert into channel_restriction values ('garden', $1, 'restricted', now())", [FIDS.dan]);
  refused(await invite('carol', 'dan'), 'fid');
});

test('members are removed by moderators, moderators by the owner, and everybody may leave', async () => {
  await join('dan', 'member');
  await join('erin', 'moderator');
  refused(await remove('erin', 'bob', 'moderator'), 'signer_uuid');
  // No such role: nothing to remove.
  ok(await remove('bob', 'erin', 'member'));
  expect(await members()).toHaveLength(4);
  ok(await remove('bob', 'dan'));
  ok(await remove('bob', 'dan'));
  ok(await remove('carol', 'erin', 'moderator'));
  ok(await remove('bob', 'bob', 'moderator'));
  expect(await members()).toEqual([[FIDS.carol, 'owner']]);
  // An open invite is removed in the same way.
  ok(await invite('carol', 'dan'));
  ok(await remove('carol', 'dan'));
  expect(await invites()).toEqual([]);
  // Who leaves may be invited again.
  ok(await invite('carol', 'dan'));
});

test('the tenth moderator is the last, also among fifty invites at once', async () => {
  const fids = Array.from({ length: 50 }, (_, n) => 2000 + n);
  await network.sql(
    `insert into channel_member (channel_id, fid, role, since) select 'garden', f, 'member', now() from unnest($1::bigint[]) f`,
    [fids],
  );
  const answers = await Promise.all(fids.map((fid) => invite('carol', fid, 'moderator')));
  const statuses = answers.map(({ status }) => status);
  // Bob is one already.
  expect(statuses.filter((status) => status === 200)).toHaveLength(9);
  expect(statuses.filter((status) => status === 400)).toHaveLength(41);
  for (const answer of answers) if (answer.status === 400) expect(answer.body.property).toBe('role');
  expect((await invites('channel_id=garden&limit=100')).length).toBe(9);
});

test('an account sends at most a hundred invites an hour to one channel', async () => {
  const answers: TestResponse[] = [];
  for (let n = 0; n < 101; n++) answers.push(await invite('carol', 'dan'));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
  const { status, headers } = answers.at(-1) as TestResponse;
  expect(status).toBe(429);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000);
});

test('only casts of members are in the feed of a channel with members', async () => {
  const cast = seeded.dan.cast({ text: 'From the outside', parent: CHANNEL_URL });
  await seeded.send(cast);
  const feed = async (more = '') =>
    (await network.get(`/v2/social/feed/channels/?channel_ids=garden${more}`)).body.casts.map(
      ({ hash }: { hash: string }) => hash,
    );
  const hash = `0x${Buffer.from(cast.hash).toString('hex')}`;
  expect(await feed()).not.toContain(hash);
  expect(await feed('&members_only=false')).toContain(hash);
  await network.sql("delete from channel_member where role <> 'owner'");
  // A lead alone is no membership list.
  expect(await feed()).toContain(hash);
  // Neither is a list that counts members and names only moderators.
  await join('bob', 'moderator');
  await network.sql("update channel set listed_member_count = 300 where id = 'garden'");
  expect(await feed()).toContain(hash);
  await network.sql("update channel set listed_member_count = null where id = 'garden'");
  expect(await feed()).not.toContain(hash);
  await join('dan', 'member');
  expect(await feed()).toContain(hash);
});

test('all lists walk to their end while rows come and go', async () => {
  await network.sql('delete from channel_member');
  const rows = 12;
  const numbers = Array.from({ length: rows }, (_, row) => row);
  const at = 'to_timestamp(1700000000 + n / 2)';
  const role = `case n % 3 when 0 then 'moderator' else 'member' end`;
  const fid = (row: number): string => String(3000 + row);
  await checkPaging({
    rows,
    key: fid,
    insert: (chosen) =>
      network.sql(
        `insert into channel_member (channel_id, fid, role, since)
         select 'garden', 3000 + n, ${role}, ${at} from unnest($1::integer[]) n`,
        [chosen],
      ),
    remove: (chosen) =>
      network.sql('delete from channel_member where fid = any($1)', [chosen.map(Number).map((n) => 3000 + n)]),
    order: [...numbers].sort((a, b) => Number(a % 3 !== 0) - Number(b % 3 !== 0) || a - b),
    page: pageOverHttp(network.get, `${base}list/?channel_id=garden`, (body) =>
      body.members.map(({ user }: { user: { fid: number } }) => String(user.fid)),
    ),
    runs: 5,
  });
  const id = (row: number): string => `walk${String(row).padStart(2, '0')}`;
  await storeChannels(
    network.app.core.db,
    numbers.map((row) => ({ id: id(row), parentUrl: `https://walk.example/${row}` })),
  );
  const newestFirst = [...numbers].sort((a, b) => (b >> 1) - (a >> 1) || a - b);
  const tables = {
    channel_member: `(channel_id, fid, role, since) select 'walk' || lpad(n::text, 2, '0'), ${FIDS.alice}, ${role}, ${at}`,
    channel_invite: `(channel_id, fid, inviter_fid, role, invited_at) select 'walk' || lpad(n::text, 2, '0'), ${FIDS.alice}, ${FIDS.bob}, ${role}, ${at}`,
  };
  const paths: [keyof typeof tables, string][] = [
    ['channel_member', `/v2/social/user/memberships/list/?fid=${FIDS.alice}`],
    ['channel_invite', `${base}invite/list/`],
    ['channel_invite', `${base}invite/list/?invited_fid=${FIDS.alice}`],
  ];
  for (const [table, path] of paths) {
    await checkPaging({
      rows,
      key: id,
      insert: (chosen) => network.sql(`insert into ${table} ${tables[table]} from unnest($1::integer[]) n`, [chosen]),
      remove: (chosen) => network.sql(`delete from ${table} where channel_id = any($1)`, [chosen.map(id)]),
      order: newestFirst,
      page: pageOverHttp(network.get, path, ({ members: list, invites: open }) =>
        list === undefined
          ? open.map(({ channel_id }: { channel_id: string }) => channel_id)
          : list.map(({ channel }: { channel: { id: string } }) => channel.id),
      ),
      runs: 3,
    });
  }
});
