import { UserDataType } from '@farcaster/core';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { openTestIngest } from '../../../test/support/ingest.js';
import { rounds } from '../../../test/support/rounds.js';
import { fromUnixMs } from '../../protocol/time.js';
import { type Author, author } from '../../sample/author.js';
import { createClock, sampleTime } from '../../sample/clock.js';
import type { Signed } from '../../sample/signed-message.js';
import type { SubmitOptions } from '../ingest-outcome.js';
import type { IngestItem } from '../item.js';
import { audit } from './audit.js';
import type { Ingest } from './pipeline.js';

let fixture: TestDatabase;
let ingest: Ingest;
let alice: Author;
let bob: Author;

const QUIET: SubmitOptions = { source: 'file', announce: false };
const LIVE: SubmitOptions = { source: 'hub', announce: true };
const PARENT_URL = 'https://example.org/~/channel/dawn';
const DERIVED = [
  'cast',
  'removed_cast',
  'cast_reply',
  'cast_mention',
  'cast_quote',
  'cast_count',
  'reaction',
  'reaction_group',
  'block',
  'link',
  'account',
  'verification',
  'signer_key',
  'username_proof',
];

const join = async (person: Author): Promise<IngestItem[]> => [
  person.register(),
  person.rent(2),
  await person.addSigner(),
];

/** Deletes everything derived from messages and onchain events. */
const empty = async (): Promise<void> => {
  const others = ['message', 'address_owner', 'onchain_event'];
  // Of few rows, that takes a tenth of the time of `truncate`.
  await fixture.db.script([...DERIVED, ...others].map((table) => `delete from "${table}"`).join('; '));
};

/** Everything that is derived, in an order of its own, without change counters and rows that only say "nothing". */
const snapshot = async (): Promise<unknown> => {
  const tables = await Promise.all(
    DERIVED.map((table) =>
      fixture.db.run<{ row: string }>(
        `select to_jsonb(t)::text as row from "${table}" t
          where not (to_jsonb(t) @> '{"like_count":0,"recast_count":0,"reply_count":0,"quote_count":0}')
            and not (to_jsonb(t) @> '{"follower_count":0,"following_count":0,"first_ts":null,"registered_at":null}')
          order by 1`,
      ),
    ),
  );
  return Object.fromEntries(DERIVED.map((table, index) => [table, tables[index]?.map(({ row }) => row)]));
};

const count = async (table: string): Promise<number> =>
  (await fixture.db.run<{ n: number }>(`select count(*) as n from "${table}"`))[0]?.n ?? -1;

beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

beforeEach(async () => {
  const tables = await fixture.db.run<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migration'",
  );
  await fixture.db.run(`truncate ${tables.map(({ name }) => `"${name}"`).join(', ')} restart identity`);
  ingest = openTestIngest(fixture.db);
  const clock = createClock(sampleTime() - 86_400);
  alice = author({ seed: 'pipeline', fid: 101, clock });
  bob = author({ seed: 'pipeline', fid: 102, clock });
});

/** Messages of two accounts, with every kind of conflict. */
const aDay = async (): Promise<IngestItem[]> => {
  const root = alice.cast({ text: 'gm', parent: PARENT_URL });
  const reply = bob.cast({ text: ['hi ', alice.fid, ' 🌅'], parent: root });
  const deep = alice.cast({ text: 'and well?', parent: reply });
  const quote = bob.cast({ text: 'look', embeds: [root, 'https://example.org/a.png'] });
  const doomed = alice.cast({ text: 'never mind', parent: reply, embeds: [quote] });
  return [
    root,
    reply,
    deep,
    quote,
    doomed,
    alice.removeCast(doomed.hash),
    bob.react('like', root),
    bob.react('recast', root),
    bob.unreact('recast', root),
    bob.react('like', deep),
    alice.react('like', 'https://example.org/page'),
    alice.follow(bob.fid),
    bob.follow(alice.fid),
    bob.unfollow(alice.fid),
    bob.follow(7),
    bob.link('block', 8),
    bob.compactLinks('follow', [alice.fid]),
    bob.follow(9),
    alice.userData(UserDataType.DISPLAY, 'Alice'),
    alice.userData(UserDataType.DISPLAY, 'Alice in Chains'),
    alice.userData(UserDataType.LOCATION, 'geo:52.52,13.40'),
    await alice.verifyEthereum(alice.wallet(1)),
  ].map((signed) => signed.item);
};

test('any order and any repetition of the same messages gives the same state', async () => {
  const people = [...(await join(alice)), ...(await join(bob))];
  const day = await aDay();
  await ingest.submit([...people, ...day], QUIET);
  const expected = await snapshot();
  expect(await audit(fixture.db)).toEqual([]);
  const shuffled = fc.array(fc.nat({ max: day.length - 1 }), { maxLength: 10 }).chain((again) =>
    fc.tuple(
      fc.shuffledSubarray([...day, ...again.map((index) => day[index] as IngestItem)], {
        minLength: day.length + again.length,
      }),
      fc.integer({ min: 1, max: day.length }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(shuffled, async ([items, size]) => {
      await empty();
      await ingest.submit(people, QUIET);
      for (let start = 0; start < items.length; start += size) {
        await ingest.submit(items.slice(start, start + size), QUIET);
      }
      expect(await snapshot()).toEqual(expected);
      expect(await audit(fixture.db)).toEqual([]);
    }),
    { numRuns: rounds(25) },
  );
});

test('counters and threads follow additions and removals', async () => {
  await ingest.submit([...(await join(alice)), ...(await join(bob)), ...(await aDay())], QUIET);
  const counts = await fixture.db.run(
    `select c.text, n.like_count, n.recast_count, n.reply_count, n.quote_count, c.root_parent_url
       from "cast" c left join cast_count n on n.fid = c.fid and n.hash = c.hash order by c.ts`,
  );
  expect(counts).toEqual([
    expect.objectContaining({ text: 'gm', like_count: 1, recast_count: 0, reply_count: 1, quote_count: 1 }),
    expect.objectContaining({ reply_count: 1, root_parent_url: PARENT_URL }),
    expect.objectContaining({
      text: 'and well?',
      like_count: 1,
      root_parent_url: PARENT_URL,
    }),
    expect.objectContaining({ text: 'look', root_parent_url: null }),
  ]);
  const accounts = await fixture.db.run(
    'select fid, follower_count, following_count, cast_count from account where fid in (101, 102) order by fid',
  );
  expect(accounts).toEqual([
    { fid: 101, follower_count: 0, following_count: 1, cast_count: 2 },
    { fid: 102, follower_count: 1, following_count: 1, cast_count: 2 },
  ]);
});

test('threads find their root, however their casts are spread over batches', async () => {
  const cut = alice.cast({ text: 'gone for good', parent: PARENT_URL });
  const chain = [cut];
  for (let depth = 1; depth < 9; depth++) {
    chain.push((depth % 2 ? bob : alice).cast({ text: `depth ${depth}`, parent: chain[depth - 1] as Signed }));
  }
  const people = [...(await join(alice)), ...(await join(bob))];
  const [middle, lower] = [chain[3] as Signed, chain[4] as Signed];
  const removals = [alice.removeCast(cut.hash), bob.removeCast(middle.hash), alice.removeCast(lower.hash)];
  const items = [...chain, ...removals].map(({ item }) => item);
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(items, { minLength: items.length }),
      fc.array(fc.integer({ min: 1, max: items.length }), { minLength: 1, maxLength: 4 }),
      async (shuffled, sizes) => {
        await empty();
        await ingest.submit(people, QUIET);
        for (let start = 0, turn = 0; start < shuffled.length; turn++) {
          const size = sizes[turn % sizes.length] as number;
          await ingest.submit(shuffled.slice(start, start + size), QUIET);
          start += size;
        }
        const roots = await fixture.db.run(
          'select root_hash, root_parent_url, count(*) as n from "cast" group by 1, 2',
        );
        expect(roots).toEqual([{ root_hash: Buffer.from(cut.hash), root_parent_url: PARENT_URL, n: 6 }]);
        expect(await audit(fixture.db)).toEqual([]);
      },
    ),
    { numRuns: rounds(40) },
  );
});

test('the messages of a removed key stay, and it signs nothing new here', async () => {
  await ingest.submit([...(await join(alice)), ...(await join(bob)), ...(await aDay())], LIVE);
  const stored = () => fixture.db.run('select hash from message where fid = 102 order by hash');
  const before = await stored();
  expect(before.length).toBeGreaterThan(5);
  await ingest.submit([bob.removeSigner()], LIVE);
  expect(await stored()).toEqual(before);
  expect(await fixture.db.run('select from hub_event where type = 3')).toEqual([]);
  const [late, relayed] = [bob.cast({ text: 'still here?' }).item, bob.cast({ text: 'from before' }).item];
  const refused = await ingest.submit([late], { ...QUIET, source: 'local', trustSigners: true });
  expect(refused.invalid).toEqual({ unknown_signer: 1 });
  // A hub took it while the key was registered, and may send it after the removal.
  expect(await ingest.submit([relayed], { ...QUIET, source: 'hub' })).toMatchObject({ merged: 1 });
  expect(await audit(fixture.db)).toEqual([]);
});

test('a time that has not come is refused, except of what a hub took', async () => {
  await ingest.submit(await join(alice), QUIET);
  const soon = alice.cast({ text: 'soon', at: fromUnixMs(Date.now()) + 3_600 }).item;
  for (const source of ['file', 'local'] as const)
    expect((await ingest.submit([soon], { ...QUIET, source })).invalid).toEqual({ future_timestamp: 1 });
  expect(await ingest.submit([soon], { ...QUIET, source: 'backfill' })).toMatchObject({ merged: 1 });
});

test('signers must be registered, unless the caller trusts them', async () => {
  const cast = alice.cast({ text: 'who am I?' }).item;
  const refused = await ingest.submit([cast], QUIET);
  expect(refused.outcomes[0]).toMatchObject({ status: 'invalid', reason: 'unknown_signer' });
  const trusted = await ingest.submit([cast], { ...QUIET, trustSigners: true });
  expect(trusted.merged).toBe(1);
});

test('removals of a hub are applied, without a created event', async () => {
  const root = alice.cast({ text: 'gm' });
  const like = bob.react('like', root);
  await ingest.submit([...(await join(alice)), ...(await join(bob)), root.item, like.item], LIVE);
  const before = await count('hub_event');
  const report = await ingest.submit(
    [
      { kind: 'removal', reason: 'prune', wire: like.wire },
      { kind: 'removal', reason: 'prune', wire: like.wire },
      { kind: 'removal', reason: 'revoke', wire: root.wire },
    ],
    LIVE,
  );
  expect(report).toMatchObject({ removed: 2, absent: 1 });
  expect(await count('cast')).toBe(0);
  expect(await count('reaction')).toBe(0);
  const events = await fixture.db.run<{ type: number }>('select type from hub_event order by id offset $1', [before]);
  expect(events.map(({ type }) => type)).toEqual([2, 3]);
  expect(await audit(fixture.db)).toEqual([]);
});

test('many concurrent submissions all resolve, each message once', async () => {
  await ingest.submit([...(await join(alice)), ...(await join(bob))], QUIET);
  const root = alice.cast({ text: 'gm' });
  await ingest.submit([root.item], QUIET);
  const casts = Array.from({ length: 60 }, (_, n) => bob.cast({ text: `reply ${n}`, parent: root }));
  const twice = [...casts, ...casts].map((cast) => ingest.submit([cast.item], { source: 'local', announce: true }));
  const reports = await Promise.all(twice);
  expect(reports.filter((report) => report.merged === 1)).toHaveLength(60);
  expect(reports.filter((report) => report.known === 1)).toHaveLength(60);
  const [row] = await fixture.db.run<{ reply_count: number }>('select reply_count from cast_count where hash = $1', [
    root.hash,
  ]);
  expect(row?.reply_count).toBe(60);
});

test('a batch may have every item twice', async () => {
  await empty();
  const items = [...(await join(alice)), alice.cast({ text: 'hello' }).item];
  const report = await ingest.submit([...items, ...items], LIVE);
  expect(report.merged).toBe(items.length);
  expect(report.invalid).toEqual({});
  expect(await audit(fixture.db)).toEqual([]);
});

test('text that PostgreSQL cannot store is not an error', async () => {
  const odd = alice.cast({ text: 'zero \0 width' });
  await ingest.submit([...(await join(alice)), odd.item], QUIET);
  const [row] = await fixture.db.run<{ text: string }>('select text from "cast"');
  expect(row?.text).toBe('zero   width');
});

test('the hub of this service prunes the oldest messages of an account that is over its storage', async () => {
  await ingest.submit([alice.register(), alice.rent(1), await alice.addSigner()], QUIET);
  const casts = Array.from({ length: 103 }, (_, n) => alice.cast({ text: `cast ${n}` }));
  for (const cast of casts) await ingest.submit([cast.item], { source: 'local', announce: true });
  const rows = await fixture.db.run<{ text: string }>('select text from "cast" order by ts');
  expect(rows).toHaveLength(100);
  expect(rows[0]?.text).toBe('cast 3');
  const [pruned] = await fixture.db.run<{ n: number }>('select count(*) as n from hub_event where type = 2');
  expect(pruned?.n).toBe(3);
  expect(await audit(fixture.db)).toEqual([]);
});

test('a name whose user data is pruned is no longer shown', async () => {
  await ingest.submit(
    [alice.register(), alice.rent(1), await alice.addSigner(), await alice.fnameProof('wonder')],
    QUIET,
  );
  const local: SubmitOptions = { source: 'local', announce: true };
  await ingest.submit([alice.userData(UserDataType.USERNAME, 'wonder').item], local);
  // A unit holds 25 entries of user data: more kinds than there are, so older rows of kinds to come stand in for them.
  await fixture.db.run(
    `insert into message (fid, message_set, key, type, subtype, ts, hash, signer, signature, data)
     select fid, 5, decode(lpad(to_hex(100 + n), 4, '0'), 'hex'), type, 100 + n, ts + 100 + n, hash, signer, signature, data
       from message, generate_series(1, 25) n where fid = 101 and type = 11`,
  );
  await ingest.submit([alice.userData(UserDataType.BIO, 'hello', sampleTime()).item], local);
  const [row] = await fixture.db.run('select username, claimed_username from account where fid = 101');
  expect(row).toEqual({ username: null, claimed_username: null });
});

test('an account without storage gets an error, and an unproven name is rejected', async () => {
  await ingest.submit([alice.register(), await alice.addSigner()], QUIET);
  const local: SubmitOptions = { source: 'local', announce: true };
  const cast = await ingest.submit([alice.cast({ text: 'gm' }).item], local);
  expect(cast.outcomes[0]).toMatchObject({ reason: 'no_storage' });
  await ingest.submit([alice.rent(1), await bob.fnameProof('alice')], QUIET);
  const name = await ingest.submit([alice.userData(UserDataType.USERNAME, 'alice').item], local);
  expect(name.outcomes[0]).toMatchObject({ reason: 'unknown_name' });
});

test('a name belongs to its latest proof', async () => {
  await ingest.submit([...(await join(alice)), ...(await join(bob))], QUIET);
  await ingest.submit([await alice.fnameProof('wonder'), alice.userData(UserDataType.USERNAME, 'wonder').item], QUIET);
  const shown = async () =>
    (await fixture.db.run<{ username: string | null }>('select username from account where fid = 101'))[0]?.username;
  expect(await shown()).toBe('wonder');
  await ingest.submit([await bob.fnameProof('wonder')], QUIET);
  expect(await shown()).toBeNull();
  expect(await audit(fixture.db)).toEqual([]);
});

test('the audit finds manipulated data', async () => {
  await ingest.submit([...(await join(alice)), ...(await join(bob)), ...(await aDay())], QUIET);
  await fixture.db.run('update cast_count set like_count = like_count + 1 where like_count > 0');
  await fixture.db.run("update account set display_name = 'Mallory' where fid = 101");
  await fixture.db.run('delete from link where fid = 101');
  await fixture.db.run('update "cast" set root_parent_url = null');
  await fixture.db.run("update cast_quote set root_parent_url = 'https://elsewhere.example/'");
  await fixture.db.run('delete from place');
  const found = new Set((await audit(fixture.db)).map((difference) => difference.what));
  expect([...found].sort()).toEqual([
    'account.count',
    'account.display_name',
    'cast.root',
    'cast_count',
    'cast_mention',
    'cast_quote',
    'cast_reply',
    'link',
    'list.followers',
    'place',
    'reaction_group',
  ]);
});
