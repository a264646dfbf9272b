import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { expectIndexed, explainReads, scansOf } from '../../../test/support/plan.js';
import { selectCommentCounts } from './token-comment.js';
import { selectPossibleOwners } from './token-owner.js';

const CASTS = 20_000;
const APP = '11111111-1111-1111-1111-111111111111';

let fixture: TestDatabase;

beforeAll(async () => {
  fixture = await openTestDatabase();
  // Every tenth cast is about one of 200 tokens, in one of two forms; account 1 follows 600 others.
  await fixture.db.script(`
    insert into account (fid, first_ts, score, custody_address)
    select n, 1, (n % 101) / 100.0, decode(lpad(to_hex(n), 40, '0'), 'hex') from generate_series(1, ${CASTS}) n;
    insert into "cast" (fid, hash, ts, text, root_fid, root_hash, parent_url, signer)
    select 1 + n % ${CASTS}, h.hash, n, 'text', 1, h.hash,
           case when n % 10 = 0 then case when n % 20 = 0 then 'chain://' else '' end || 'eip155:8453/erc20:0x' || n / 10 % 200
                else 'https://place.example/' || n % 500 end, h.hash
      from generate_series(1, ${CASTS}) n cross join lateral (select decode(lpad(to_hex(n), 40, '0'), 'hex') as hash) h;
    insert into message (fid, message_set, key, type, subtype, ts, hash, signer, signature, data, target_fid)
    select case when ts <= 600 then 1 else fid end, 2, hash, 5, 1, ts, hash, hash, hash, hash, 1 + ts from "cast"
     where ts < ${CASTS};
    insert into ban (fid, app_id) select n, '${APP}' from generate_series(5000, 9000) n;
    insert into mute (fid, app_id, muted_fid) select n, '${APP}', n + 1 from generate_series(5000, 9000) n;
    insert into block (fid, blocked_fid, ts, hash) select n, n + 1, 1, '' from generate_series(5000, 9000) n;
    analyze;
  `);
});
afterAll(() => fixture.drop());

test('casts about tokens are counted through an index', async () => {
  const ids = Array.from({ length: 100 }, (_, index) => `eip155:8453/erc20:0x${index}`);
  const audience = { appId: APP, viewer: 1 };
  const counts = await selectCommentCounts(fixture.db, ids, audience);
  // Two of ten authors are banned.
  expect([counts.size, counts.get('eip155:8453/erc20:0x7')]).toEqual([100, 8]);
  expectIndexed(await explainReads(fixture.db, (watched) => selectCommentCounts(watched, ids, audience)));
});

test('possible owners are read through indexes, with a viewer and without', async () => {
  const owners = await selectPossibleOwners(fixture.db, { appId: APP, viewer: null }, 500);
  expect(owners[0]).toEqual({ fid: 100, addresses: ['64'.padStart(40, '0')] });
  expect(owners).toHaveLength(500);
  expectIndexed(
    await explainReads(fixture.db, (watched) => selectPossibleOwners(watched, { appId: APP, viewer: 1 }, 500)),
  );
  // From the highest score on, until there are enough.
  const plans = await explainReads(fixture.db, (watched) =>
    selectPossibleOwners(watched, { appId: APP, viewer: null }, 500),
  );
  expect(plans.flatMap(scansOf)).toEqual([
    'token_owner_scored (custom): Index Scan account_score account',
    'token_owner_scored (generic): Index Scan account_score account',
  ]);
});
