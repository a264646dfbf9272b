import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { expectIndexed, explainReads } from '../../../test/support/plan.js';
import { HOUR_MS } from '../../duration.js';
import { selectUnannouncedTrades } from './trade.js';
import { selectTradesOfToken, selectTrendingTokens, selectWatchedWallets } from './trade-list.js';

const ROWS = 20_000;
const APP = '11111111-1111-1111-1111-111111111111';

let fixture: TestDatabase;
const token = (number: number): Uint8Array => Buffer.from(number.toString(16).padStart(40, '0'), 'hex');
const since = new Date(Date.now() - HOUR_MS);

beforeAll(async () => {
  fixture = await openTestDatabase();
  const bytes = (n: string, size: number) => `decode(lpad(to_hex(${n}), ${2 * size}, '0'), 'hex')`;
  // A trade every ten seconds of 500 tokens by the wallets of 20,000 accounts; the newest one first.
  await fixture.db.script(`
    insert into account (fid, first_ts, score, verifications)
    select n, 1, (n % 101) / 100.0, '[[0,"' || lpad(to_hex(n), 40, '0') || '"]]' from generate_series(1, ${ROWS}) n;
    insert into address_owner (address, role, fid, ts) select ${bytes('n', 20)}, 1, n, 1 from generate_series(1, ${ROWS}) n;
    insert into trade (network, tx_hash, wallet, fid, block, block_hash, at, sold_token, bought_token, sold, bought,
                       sold_decimals, bought_decimals, usd, is_announced)
    select case when n % 4 = 0 then 'optimism' else 'base' end, ${bytes('n', 32)}, ${bytes('n', 20)}, n, ${ROWS} - n,
           ${bytes('n', 32)}, now() - n * interval '10 seconds', ${bytes('n % 499', 20)}, ${bytes('n % 500', 20)}, 10, 20, 0, 0,
           case when n % 3 = 0 then n end, n > 5
      from generate_series(1, ${ROWS}) n;
    insert into trade_search values ('base', 8453, 1, now(), null, ${ROWS}, now(), 500, null);
    insert into ban (fid, app_id) select n, '${APP}' from generate_series(5000, 9000) n;
    insert into mute (fid, app_id, muted_fid) select n, '${APP}', n + 1 from generate_series(5000, 9000) n;
    insert into block (fid, blocked_fid, ts, hash) select n, n + 1, 1, '' from generate_series(5000, 9000) n;
    analyze;
  `);
});
afterAll(() => fixture.drop());

test('trades of a token and trending tokens are read through indexes', async () => {
  const of = { network: 'base', token: token(7) };
  const filter = { since: new Date(Date.now() - 7 * 24 * HOUR_MS), appId: APP, minUsd: null, limit: 100 };
  const trades = await selectTradesOfToken(fixture.db, of, filter);
  expect(trades.length).toBeGreaterThan(40);
  const times = trades.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(trades.filter(({ fid }) => fid >= 5000 && fid <= 9000)).toEqual([]);
  const dear = await selectTradesOfToken(fixture.db, of, { ...filter, minUsd: 3000 });
  expect(dear.every(({ usd }) => usd !== null && usd >= 3000)).toBe(true);
  const bought = { since, appId: APP, quotes: [token(9)], limit: 50 };
  const trending = await selectTrendingTokens(fixture.db, 'base', bought);
  expect(trending).toHaveLength(50);
  // Of five, one has too few blocks above it, and one is on a network that is not searched.
  expect(await selectUnannouncedTrades(fixture.db, ['base', 'optimism'], 2, 10)).toHaveLength(3);
  expectIndexed([
    ...(await explainReads(fixture.db, (db) => selectTradesOfToken(db, of, filter))),
    ...(await explainReads(fixture.db, (db) => selectTrendingTokens(db, 'base', bought))),
  ]);
});

test('the wallets of the accounts with the highest scores are watched', async () => {
  const wallets = await selectWatchedWallets(fixture.db, 500);
  expect(wallets.size).toBe(500);
  expect([...wallets.values()].every((fid) => fid % 101 >= 97)).toBe(true);
});
