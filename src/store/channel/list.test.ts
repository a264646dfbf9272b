import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { expectIndexed, explainReads } from '../../../test/support/plan.js';
import type { Database } from '../../db/database.js';
import { searchChannels, selectActiveChannels } from './list.js';

const CHANNELS = 10_000;
/** Casts of a busy account, in 20 channels; another account has one in each. */
const CASTS = 5_000;
const PLACES = 20;
const [BUSY, QUIET] = [1, 2];
const APP = '00000000-0000-4000-8000-000000000000';

let fixture: TestDatabase;
let db: Database;

beforeAll(async () => {
  fixture = await openTestDatabase();
  db = fixture.db;
  await db.script(`
    insert into channel (id, url, parent_url, name, description, source, created_at, updated_at)
      select 'c' || md5(n::text), 'https://c.example/' || n, 'https://c.example/' || n, 'Channel ' || n,
             repeat('Described. ', 40), 'local', now(), now()
        from generate_series(1, ${CHANNELS}) n;
    insert into channel_parent_url (url, channel_id) select parent_url, id from channel;
    insert into channel_parent_url (url, channel_id) select 'https://page.example/' || id, id from channel;
    insert into "cast" (fid, hash, ts, text, root_fid, root_hash, root_parent_url, signer)
      select fid, sha256((fid || ' ' || n)::bytea), n, '', fid, '\\x00', 'https://c.example/' || (n % ${PLACES} + 1), '\\x00'
        from (select ${BUSY} as fid, n from generate_series(1, ${CASTS}) n
              union all select ${QUIET}, n from generate_series(1, ${PLACES}) n) c;
    insert into "cast" (fid, hash, ts, text, root_fid, root_hash, root_parent_url, signer)
      select n, sha256(n::text::bytea), n, '', n, '\\x00', 'https://c.example/' || n, '\\x00'
        from generate_series(10, 3000) n;
    analyze`);
});
afterAll(() => fixture.drop());

test('a search for what few channels have reads an index, and finds them', async () => {
  const [{ id } = { id: '' }] = await db.run<{ id: string }>("select id from channel where name = 'Channel 777'");
  const part = id.slice(3, 12);
  expectIndexed(await explainReads(db, (watched) => searchChannels(watched, part, undefined, 21), { fewRows: true }));
  expect((await searchChannels(db, part, undefined, 21)).map((found) => found.id)).toEqual([id]);
});

test('the channels in which an account cast are as many steps in an index, whatever the number of casts', async () => {
  for (const fid of [BUSY, QUIET]) {
    expectIndexed(
      await explainReads(db, (watched) => selectActiveChannels(watched, { fid, appId: APP }, undefined, 21), {
        fewRows: true,
      }),
    );
  }
  const busy = await selectActiveChannels(db, { fid: BUSY, appId: APP }, undefined, 21);
  const quiet = await selectActiveChannels(db, { fid: QUIET, appId: APP }, undefined, 21);
  expect(busy.map(({ at }) => at)).toEqual(Array.from({ length: PLACES }, (_, n) => CASTS - n));
  expect(quiet.map(({ at }) => at)).toEqual(Array.from({ length: PLACES }, (_, n) => PLACES - n));
  expect(new Set(busy.map(({ id }) => id))).toEqual(new Set(quiet.map(({ id }) => id)));
});

test('all URL spellings of a channel count as one channel, and unknown URLs as none', async () => {
  const [{ id } = { id: '' }] = await db.run<{ id: string }>("select id from channel where name = 'Channel 777'");
  const urls = [`https://page.example/${id}`, 'https://c.example/777', 'https://nowhere.example'];
  await db.run(
    `insert into "cast" (fid, hash, ts, text, root_fid, root_hash, root_parent_url, signer)
     select 3, sha256(url::bytea), 100 + n, '', 3, '\\x00', url, '\\x00' from unnest($1::text[]) with ordinality u(url, n)`,
    [urls],
  );
  expect(await selectActiveChannels(db, { fid: 3, appId: APP }, undefined, 21)).toEqual([{ id, at: 102 }]);
  expect(await selectActiveChannels(db, { fid: 3, appId: APP }, { id, at: 102 }, 21)).toEqual([]);
});
