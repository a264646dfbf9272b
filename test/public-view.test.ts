import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toHex } from '../src/hex.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

const DOCUMENT = readFileSync(new URL('../docs/analytics.md', import.meta.url), 'utf8');

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
});
afterAll(() => network.stop());

test('the views have the columns that the document names, and no others', async () => {
  const rows = await network.sql<{ view: string; columns: string[] }>(
    `select table_name::text as view, array_agg(column_name::text order by ordinal_position) as columns
       from information_schema.columns where table_schema = 'castellan_public' group by table_name`,
  );
  const documented = [...DOCUMENT.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, view, text]) => ({
    view,
    columns: [...(text as string).replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, column]) => column),
  }));
  const byName = (one: { view: string | undefined }, other: { view: string | undefined }) =>
    (one.view ?? '').localeCompare(other.view ?? '');
  expect(rows.sort(byName)).toEqual(documented.sort(byName));
});

test('they tell what the interface tells', async () => {
  const { reply, hello } = seeded.casts;
  const hash = toHex(reply.hash);
  const { cast } = (await network.get(`/v2/social/cast/?type=hash&identifier=${hash}`)).body;
  const [row] = await network.sql('select * from castellan_public.casts where hash = $1', [hash]);
  expect(row).toMatchObject({
    fid: FIDS.bob,
    timestamp: new Date(cast.timestamp),
    text: cast.text,
    parent_hash: toHex(hello.hash),
    like_count: cast.reactions.likes_count,
    recast_count: cast.reactions.recasts_count,
    reply_count: cast.replies.count,
  });
  const [user] = (await network.get(`/v2/social/user/bulk/?fids=${FIDS.alice}`)).body.users;
  const [profile] = await network.sql('select * from castellan_public.profiles where fid = $1', [FIDS.alice]);
  expect(profile).toMatchObject({
    username: user.username,
    display_name: user.display_name,
    custody_address: user.custody_address,
    follower_count: user.follower_count,
    following_count: user.following_count,
  });
  const likes = "select count(*)::int as n from castellan_public.reactions where type = 'like' and target_hash = $1";
  expect(await network.sql(likes, [hash])).toEqual([{ n: cast.reactions.likes_count }]);
  const follows = "select count(*)::int as n from castellan_public.links where type = 'follow' and target_fid = $1";
  expect(await network.sql(follows, [FIDS.alice])).toEqual([{ n: user.follower_count }]);
  const wallets = "select address from castellan_public.verifications where fid = $1 and protocol = 'ethereum'";
  expect((await network.sql<{ address: string }>(wallets, [FIDS.alice])).map(({ address }) => address).sort()).toEqual(
    [...user.verified_addresses.eth_addresses].sort(),
  );
  const counted = 'select count(*)::int as n from castellan_public.channels';
  const { channels } = (await network.get('/v2/social/channel/list/?limit=200')).body;
  expect(await network.sql(counted)).toEqual([{ n: channels.length }]);
});

test('a role with the rights of the document reads the views and nothing else; its questions run', async () => {
  const { db } = network.app.core;
  const [role, ...questions] = [...DOCUMENT.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, text]) => text as string);
  const ask = (text: string) =>
    db.transaction(async (session) => {
      await session.script('set local role analyst');
      return session.run(text);
    });
  await db.script((role as string).replace(' login', ''));
  try {
    expect(questions.length).toBeGreaterThan(1);
    for (const question of questions) await ask(question);
    expect(await ask('select count(*)::int as n from castellan_public.casts')).not.toEqual([{ n: 0 }]);
    await expect(ask('select * from public.api_key')).rejects.toMatchObject({ code: '42501' });
    await expect(ask("update castellan_public.profiles set bio = ''")).rejects.toMatchObject({ code: '42501' });
  } finally {
    await db.script('drop owned by analyst; drop role analyst');
  }
});
