import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { expectIndexed, explain, explainReads } from '../../../test/support/plan.js';
import type { Database } from '../../db/database.js';
import { type Param, type Session, type Statement, textOf } from '../../db/statement.js';
import { selectNotificationGroups } from './group.js';
import { type InteractionPair, selectInteractions } from './interaction.js';
import { type NotificationScope, selectNotifications } from './list.js';
import { selectNotificationMarks, updateNotificationSeen } from './seen.js';
import { NotificationKind } from './source.js';

const APP = '00000000-0000-4000-8000-000000000001';
const NOW = 2_000_000;
/** A normal account with a few events of each kind, and one with tens of thousands. */
const PLAIN = 1;
const CELEBRITY = 2;
const MANY = 30_000;
/** Accounts with ten replies, quotes and mentions each, and before them few or many replies. */
const LITTLE_ANSWERED = 3;
const MUCH_ANSWERED = 4;
/** In each account, a few rows are under the second URL, none under the third, all others under the first. */
const [LOUD, QUIET, EMPTY] = ['https://loud.example/', 'https://quiet.example/', 'https://empty.example/'];

let fixture: TestDatabase;

/** Casts of the fid with likes, recasts, replies, quotes and mentions by others, and follows over many days. */
const fill = async (db: Database, fid: number, casts: number, events: number, followGap: number): Promise<void> => {
  const hash = (number: string, salt: number): string => `decode(lpad(to_hex(${number} + ${salt}), 40, '0'), 'hex')`;
  const salt = fid * 100_000_000;
  const place = (number: string): string => `case when ${number} < 40 then '${QUIET}' else '${LOUD}' end`;
  const own = hash(`n % ${casts}`, salt);
  await db.script(`
    insert into "cast" (fid, hash, ts, text, root_fid, root_hash, signer, root_parent_url)
    select ${fid}, ${hash('n', salt)}, 100 + n, 'mine', ${fid}, ${hash('n', salt)}, '', ${place('n')}
      from generate_series(0, ${casts - 1}) n;
    insert into "cast" (fid, hash, ts, text, root_fid, root_hash, signer, root_parent_url)
    select 1000 + n % 300, ${hash('n', salt + 10_000_000)}, 1000 + n, 'theirs', 0, '', '', ${place('n')}
      from generate_series(1, ${events}) n;
    insert into reaction (target_fid, target_hash, type, ts, hash, fid)
    select ${fid}, case when n % 2 = 0 then ${hash('0', salt)} else ${own} end, 1 + (n % 9) / 8, 1000 + n * 5,
           ${hash('n', salt + 20_000_000)}, 1000 + n from generate_series(1, ${events * 2}) n;
    insert into reaction_group
    select r.target_fid, r.target_hash, r.type, max(r.ts), max(c.root_parent_url)
      from reaction r join "cast" c on c.fid = r.target_fid and c.hash = r.target_hash
     where r.target_fid = ${fid} group by 1, 2, 3;
    insert into cast_reply (parent_fid, parent_hash, ts, hash, fid, root_parent_url)
    select ${fid}, ${own}, 1000 + n, ${hash('n', salt + 10_000_000)}, 1000 + n % 300, ${place('n')} from generate_series(1, ${events}, 3) n;
    insert into cast_quote (quoted_fid, quoted_hash, ts, hash, fid, root_parent_url)
    select ${fid}, ${own}, 1000 + n, ${hash('n', salt + 10_000_000)}, 1000 + n % 300, ${place('n')} from generate_series(2, ${events}, 3) n;
    insert into cast_mention (mentioned_fid, ts, hash, fid, root_parent_url)
    select ${fid}, 1000 + n, ${hash('n', salt + 10_000_000)}, 1000 + n % 300, ${place('n')} from generate_series(1, ${events}) n;
    insert into link (target_fid, type, ts, hash, fid)
    select ${fid}, 1, 1000 + n * ${followGap}, ${hash('n', salt + 30_000_000)}, 1000 + n from generate_series(1, ${events}) n;
  `);
};

/**
 * Ten replies, quotes and mentions of each fid. Before them are `answers` replies that also quote and mention it: half
 * by others, which count as replies, half by the account itself, which cause no notification.
 */
const thread = async (db: Database, fid: number, answers: number): Promise<void> => {
  const hash = `decode(lpad(to_hex(n + ${fid * 100_000_000}), 40, '0'), 'hex')`;
  const rows = `generate_series(1, ${answers + 30}) n
    cross join lateral (select n <= 10 as replies, n between 11 and 20 as quotes, n between 21 and 30 as mentions, n > 30 as answers) k`;
  const author = `case when answers and n % 2 = 0 then ${fid} else 1000 + n % 300 end`;
  await db.script(`
    insert into "cast" (fid, hash, ts, text, root_fid, root_hash, signer) values (${fid}, '\\xff', 1, 'mine', ${fid}, '\\xff', '');
    insert into cast_reply (parent_fid, parent_hash, ts, hash, fid, root_parent_url)
    select ${fid}, '\\xff', 1000 + n, ${hash}, ${author}, '${LOUD}' from ${rows} where replies or answers;
    insert into cast_quote (quoted_fid, quoted_hash, ts, hash, fid, root_parent_url)
    select ${fid}, '\\xff', 1000 + n, ${hash}, ${author}, '${LOUD}' from ${rows} where quotes or answers;
    insert into cast_mention (mentioned_fid, ts, hash, fid, root_parent_url)
    select ${fid}, 1000 + n, ${hash}, ${author}, '${LOUD}' from ${rows} where mentions or answers;
  `);
};

/** The `notified_fid` that ingest writes for these rows. */
const NOTIFIED = `
  update cast_reply set notified_fid = parent_fid where parent_fid <> fid;
  update cast_quote q set notified_fid = quoted_fid where quoted_fid <> fid
     and not exists (select from cast_reply r where r.hash = q.hash and r.parent_fid = q.quoted_fid);
  update cast_mention m set notified_fid = mentioned_fid where mentioned_fid <> fid
     and not exists (select from cast_reply r where r.hash = m.hash and r.parent_fid = m.mentioned_fid)
     and not exists (select from cast_quote q where q.hash = m.hash and q.quoted_fid = m.mentioned_fid);`;

beforeAll(async () => {
  fixture = await openTestDatabase();
  const { db } = fixture;
  await fill(db, PLAIN, 100, 300, 6_000);
  await fill(db, CELEBRITY, 3000, MANY, 50);
  await thread(db, LITTLE_ANSWERED, 100);
  await thread(db, MUCH_ANSWERED, MANY);
  await db.script(NOTIFIED);
  await db.script(`
    insert into mute (fid, app_id, muted_fid) select fid, '${APP}', 1000 + n * 7 from (values (${PLAIN}), (${CELEBRITY})) f(fid), generate_series(1, 20) n;
    insert into notification_seen (fid, app_id, type, seen_at) values (${PLAIN}, '${APP}', 'likes', '2021-01-01T00:00:10Z');
    insert into notification_seen (fid, app_id, type, seen_at) select n + 10, '${APP}', 'likes', now() from generate_series(1, 4000) n;
    insert into mute (fid, app_id, muted_fid) select 10 + n, '${APP}', n from generate_series(1, 4000) n;
    insert into ban (fid, app_id) select 500000 + n, '${APP}' from generate_series(1, 4000) n;
    insert into block (fid, blocked_fid, ts, hash) select 10 + n, n, n, int8send(n) from generate_series(1, 4000) n;
    insert into cast_count (fid, hash) select fid, hash from "cast";
    insert into signer_key (fid, key, key_type, active, block_number, log_index, decided_at)
    select n, int8send(n), 1, true, n, 0, now() from generate_series(1, 4000) n;
    insert into message (fid, message_set, key, type, subtype, ts, hash, target_fid, target_hash, signer, signature, data)
    select fid, 3, hash, 5, 1, ts, hash, target_fid, null, ''::bytea, ''::bytea, ''::bytea from link
    union all
    select fid, 2, hash, 3, type, ts, hash, target_fid, target_hash, ''::bytea, ''::bytea, ''::bytea from reaction`);
  // Index-only scans need the visibility map.
  await db.script('vacuum analyze');
});
afterAll(() => fixture.drop());

const scope = (fid: number, more: Partial<NotificationScope> = {}): NotificationScope => ({
  fid,
  appId: APP,
  kinds: Object.values(NotificationKind),
  parentUrls: undefined,
  horizon: NOW,
  ...more,
});

/** Runs the statements of a request for a page, except the unseen count. */
const readPage = async (db: Database, of: NotificationScope, limit = 16, expected = limit): Promise<void> => {
  const rows = await selectNotifications(db, of, undefined, limit);
  expect(rows).toHaveLength(expected);
  await selectNotificationGroups(db, of, rows);
};

interface Node {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

const literal = (param: Param): string => {
  if (param instanceof Uint8Array) return `'\\x${Buffer.from(param).toString('hex')}'::bytea`;
  if (Array.isArray(param)) return `array[${param.map(literal).join(', ')}]`;
  return typeof param === 'string' ? `'${param}'` : String(param);
};

/** @returns the number of blocks that the statements of `work` read with their generic plans */
const blocksOf = async (work: (db: Database) => Promise<void>): Promise<number> => {
  const sent: [Statement<unknown>, readonly Param[]][] = [];
  const { db } = fixture;
  const read: Database['read'] = (statement, params) => {
    sent.push([statement, params]);
    return db.read(statement, params);
  };
  await work(new Proxy(db, { get: (target, name) => (name === 'read' ? read : Reflect.get(target, name)) }));
  return db.transaction(async (session) => {
    await session.script('set local plan_cache_mode = force_generic_plan; set local jit = off');
    let blocks = 0;
    for (const [{ text }, params] of sent) {
      await session.script(`prepare measured as ${text}`);
      const [row] = await session.run<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        `explain (analyze, buffers, timing off, format json) execute measured(${params.map(literal).join(', ')})`,
      );
      await session.script('deallocate measured');
      const plan = row?.['QUERY PLAN'][0].Plan;
      blocks += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    }
    return blocks;
  });
};

test('every statement goes through indexes, with any parameters', async () => {
  expectIndexed(
    await explainReads(fixture.db, async (db) => {
      await readPage(db, scope(CELEBRITY));
      await selectNotificationMarks(db, scope(CELEBRITY));
    }),
  );
  const narrowed = scope(CELEBRITY, { parentUrls: ['https://no.example/'], kinds: [1, 2, 3, 4, 5] });
  expectIndexed(
    await explainReads(fixture.db, async (db) => {
      await selectNotifications(db, narrowed, undefined, 16);
      await selectNotificationMarks(db, narrowed);
    }),
  );
});

test('the statement that marks them as seen goes through indexes, too', async () => {
  const sent: [string, readonly Param[]][] = [];
  const run: Session['run'] = async (statement, params = []) => {
    sent.push([textOf(statement), params]);
    return [];
  };
  const kinds = Object.keys(NotificationKind) as (keyof typeof NotificationKind)[];
  await updateNotificationSeen({ ...fixture.db, run }, { fid: CELEBRITY, appId: APP }, kinds, NOW - 1000);
  const [[text, params]] = sent as [[string, readonly Param[]]];
  expectIndexed(await explain(fixture.db, { name: 'notification_mark', text } as Statement<unknown>, params));
});

test('a page of a popular account reads hardly more than one of any other', async () => {
  for (const kinds of [Object.values(NotificationKind), [1, 2], [3, 4, 5], [6]]) {
    const plain = await blocksOf((db) => readPage(db, scope(PLAIN, { kinds }), 10));
    const celebrity = await blocksOf((db) => readPage(db, scope(CELEBRITY, { kinds }), 10));
    // A hundred times the events may make index trees deeper, but must not add steps.
    expect(celebrity, `kinds ${kinds}`).toBeLessThan(2.5 * plain);
  }
});

test('the count of what is unseen stops at 1,000, whatever there is', async () => {
  const count = async (of: NotificationScope): Promise<[unseen: number, blocks: number]> => {
    const { unseen } = await selectNotificationMarks(fixture.db, of);
    return [unseen, await blocksOf(async (db) => void (await selectNotificationMarks(db, of)))];
  };
  const kinds = [1, 2, 3, 4, 5];
  for (const more of [{}, { kinds, parentUrls: [LOUD] }, { kinds, parentUrls: [LOUD, EMPTY, QUIET, LOUD] }]) {
    const [few, fewBlocks] = await count(scope(PLAIN, more));
    const [many, blocks] = await count(scope(CELEBRITY, more));
    expect(many).toBe(1000);
    // More events may make index trees deeper; each counted event must cost as much as in the short list.
    expect(blocks / many).toBeLessThan((1.5 * fewBlocks) / few);
  }
});

test.each([
  { urls: [EMPTY], rows: 0 },
  { urls: [QUIET], rows: 10 },
  { urls: [LOUD], rows: 10 },
  { urls: [LOUD, EMPTY, QUIET, LOUD], rows: 10 },
])('a page below $urls reads few more blocks for a popular account than for others', async ({ urls, rows }) => {
  const blocks = (fid: number) =>
    blocksOf((db) => readPage(db, scope(fid, { kinds: [1, 2, 3, 4, 5], parentUrls: urls }), 10, rows));
  expect(await blocks(CELEBRITY)).toBeLessThan(2.5 * (await blocks(PLAIN)));
});

test.each([{ kinds: [3] }, { kinds: [5] }, { kinds: [3, 5] }, { kinds: [1, 2, 3, 4, 5, 6] }])(
  'mentions and quotes (kinds $kinds) are found without passing over the answers that hold them too',
  async ({ kinds }) => {
    for (const parentUrls of [undefined, [LOUD]]) {
      const more = { kinds: parentUrls ? kinds.filter((kind) => kind !== 6) : kinds, parentUrls };
      const blocks = (fid: number) => blocksOf((db) => readPage(db, scope(fid, more), 10));
      expect(await blocks(MUCH_ANSWERED)).toBeLessThan(1.5 * (await blocks(LITTLE_ANSWERED)));
    }
  },
);

/** Reacts to casts of all accounts, follows and answers them. */
const ACTOR = 1006;

test('what two accounts did about each other is found by what they wrote, however popular they are', async () => {
  const pair = (fid: number): InteractionPair => ({
    fids: [fid, ACTOR],
    appId: APP,
    kinds: Object.values(NotificationKind),
    horizon: NOW,
  });
  const { db } = fixture;
  const found = await selectInteractions(db, pair(CELEBRITY));
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set([1, 6]));
  expectIndexed(await explainReads(db, (watched) => selectInteractions(watched, pair(CELEBRITY))));
  const blocks = (fid: number) => blocksOf(async (watched) => void (await selectInteractions(watched, pair(fid))));
  expect(await blocks(MUCH_ANSWERED)).toBeLessThan(1.5 * (await blocks(LITTLE_ANSWERED)));
});
