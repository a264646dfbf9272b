import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { expectIndexed, explainReads } from '../../../test/support/plan.js';
import { selectRelevantMiniApps } from './relevant-mini-app.js';

const ACCOUNTS = 5_000;
const APP = '11111111-1111-1111-1111-111111111111';

let fixture: TestDatabase;

beforeAll(async () => {
  fixture = await openTestDatabase();
  // Account 1 follows 600 others; every account casts twice, each time one of 1,000 domains, of which 200 are listed.
  await fixture.db.script(`
    insert into account (fid, first_ts, score) select n, 1, (n % 101) / 100.0 from generate_series(1, ${ACCOUNTS}) n;
    insert into "cast" (fid, hash, ts, text, root_fid, root_hash, embeds, signer)
    select 1 + n % ${ACCOUNTS}, h.hash, n, 'text', 1, h.hash,
           jsonb_build_array(jsonb_build_object('url', 'https://a' || n % 1000 || '.example/')), h.hash
      from generate_series(1, ${2 * ACCOUNTS}) n cross join lateral (select decode(lpad(to_hex(n), 40, '0'), 'hex') as hash) h;
    insert into message (fid, message_set, key, type, subtype, ts, hash, signer, signature, data, target_fid)
    select case when ts <= 600 then 1 else fid end, 2, hash, 5, 1, ts, hash, hash, hash, hash, 1 + ts from "cast"
     where ts < ${ACCOUNTS};
    insert into catalog_domain (domain, found_at, next_fetch_at)
    select 'a' || n || '.example', now(), now() from generate_series(0, 20000) n;
    insert into catalog_app (domain, author_fid, name, tags, home_url, image_url, version, manifest, listed_at, search_text)
    select 'a' || n || '.example', 2, 'A', '{}', '', '', '1', '{}', now(), ' a' from generate_series(0, 199) n;
    insert into ban (fid, app_id) select n, '${APP}' from generate_series(3000, ${ACCOUNTS}) n;
    insert into mute (fid, app_id, muted_fid) select n, '${APP}', n + 1 from generate_series(3000, ${ACCOUNTS}) n;
    insert into block (fid, blocked_fid, ts, hash) select n, n + 1, 1, '' from generate_series(3000, ${ACCOUNTS}) n;
    analyze;
  `);
});
afterAll(() => fixture.drop());

test('the casts of the closest accounts are read through an index, whatever the number of accounts and casts', async () => {
  const friends = Array.from({ length: 100 }, (_, n) => ({ fid: 1000 + n, affinity: 100 - n }));
  const period = { after: 0, until: 2_000_000_000, networks: null };
  const audience = { appId: APP, viewer: 1 };
  const rows = await selectRelevantMiniApps(fixture.db, audience, friends, period);
  expect(rows).toHaveLength(25);
  // The closest friend that cast a listed one.
  expect(rows[0]?.fids[0]).toBe(1001);
  expectIndexed(
    await explainReads(fixture.db, (watched) => selectRelevantMiniApps(watched, audience, friends, period)),
  );
});
