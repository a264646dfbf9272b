import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { expectIndexed, explainReads } from '../../../test/support/plan.js';
import { watchDatabase } from '../../../test/support/read-cache.js';
import type { Database } from '../../db/database.js';
import { selectBestFriends } from './best-friend.js';
import { searchUsers, selectFidsByXUsername } from './user-search.js';
import { selectVerificationsWithApp } from './verification.js';

const ACCOUNTS = 5_000;
const NOBODY = { appId: '00000000-0000-0000-0000-000000000000', viewer: null };

let fixture: TestDatabase;
let db: Database;

beforeAll(async () => {
  fixture = await openTestDatabase();
  db = fixture.db;
  // Names have two syllables and a number, every third begins with "star"; each account has some data of every kind.
  await db.script(`
    insert into account (fid, first_ts, username, display_name, x_username, score)
    select n, 1, case when n % 3 = 0 then 'star' || n else md5(n::text) end, 'Person ' || md5((n * 3)::text), 'x' || n,
           (n * 7919 % 101) / 100.0
      from generate_series(1, ${ACCOUNTS}) n;
    insert into "cast" (fid, hash, ts, text, root_fid, root_hash, parent_fid, mentions, signer)
    select 1 + n % ${ACCOUNTS}, h.hash, n, 'text', 1, h.hash, 1 + (n * 7) % ${ACCOUNTS}, array[1 + (n * 3) % ${ACCOUNTS}], h.hash
      from generate_series(1, ${2 * ACCOUNTS}) n cross join lateral (select decode(lpad(to_hex(n), 40, '0'), 'hex') as hash) h;
    insert into cast_reply (parent_fid, parent_hash, ts, hash, fid)
    select fid, hash, ts + 1, hash, 1 + (ts * 7) % ${ACCOUNTS} from "cast";
    insert into cast_mention (mentioned_fid, ts, hash, fid) select mentions[1], ts, hash, fid from "cast";
    insert into reaction (target_fid, target_hash, type, ts, hash, fid)
    select fid, hash, 1, ts, hash, 1 + (ts * 3) % ${ACCOUNTS} from "cast";
    insert into reaction_group (target_fid, target_hash, type, latest_ts) select fid, hash, 1, ts from "cast";
    insert into message (fid, message_set, key, type, subtype, ts, hash, signer, signature, data, target_fid)
    select fid, 2, hash, 3, 1, ts, hash, hash, hash, hash, 1 + (ts * 7) % ${ACCOUNTS} from "cast";
    insert into verification (fid, protocol, address, ts, hash)
    select fid, 0, hash, ts, hash from "cast";
    insert into signer_key (fid, key, key_type, active, block_number, log_index, decided_at, request_fid)
    select fid, hash, 1, true, 1, 1, now(), 1 from "cast";
    insert into ban (fid, app_id) select n, '11111111-1111-1111-1111-111111111111' from generate_series(1, 3000) n;
    insert into mute (fid, app_id, muted_fid)
    select n, '11111111-1111-1111-1111-111111111111', n + 1 from generate_series(1, 3000) n;
    insert into block (fid, blocked_fid, ts, hash) select n, n + 1, 1, '' from generate_series(1, 3000) n;
    analyze;
  `);
});
afterAll(() => fixture.drop());

const person = (text: string, limit = 5) => ({ text, fid: undefined, after: undefined, limit });
const friends = { horizon: 2_000_000_000, after: undefined, limit: 25 };

test('more names than are ranked: the best of the first thousand, each once over all pages', async () => {
  const seen: number[] = [];
  for (let after: Awaited<ReturnType<typeof searchUsers>>[number] | undefined; ; ) {
    const rows = await searchUsers(db, NOBODY, { ...person('star', 300), after });
    seen.push(...rows.map((row) => row.fid));
    after = rows.at(-1);
    if (rows.length < 300) break;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(1000);
  const scores = seen.map((fid) => (fid * 7919) % 101);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
});

test('one letter is looked for at the beginning of usernames alone, other texts in display names, too', async () => {
  const sent = async (search: ReturnType<typeof person>) => {
    const watched = watchDatabase(db);
    await searchUsers(watched.db, NOBODY, search);
    return watched.sent();
  };
  expect(await sent(person('z'))).toEqual(['person_named']);
  expect(await sent(person('-_'))).toEqual(['person_named']);
  expect(await sent(person('zz'))).toEqual(['person_named', 'person_short']);
  expect(await sent(person('田'))).toEqual(['person_named', 'person_short']);
  expect(await sent(person('star', 1))).toEqual(['person_named']);
  expect(await sent(person('person'))).toEqual(['person_named', 'person_alike']);
});

test('no plan reads a growing table from end to end', async () => {
  for (const viewer of [null, 2]) {
    const audience = { ...NOBODY, viewer };
    for (const text of ['abcd12', '田中', 'अनिका शर्मा', '🎩', 'zz']) {
      expectIndexed(await explainReads(db, (watched) => searchUsers(watched, audience, person(text))));
    }
    expectIndexed(await explainReads(db, (watched) => selectFidsByXUsername(watched, 'x17', audience)));
    expectIndexed(await explainReads(db, (watched) => selectBestFriends(watched, 1, audience, friends)));
  }
  expectIndexed(await explainReads(db, (watched) => selectVerificationsWithApp(watched, 1)));
});
