import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecondApp } from './support/app.js';
import { validateAgainstSchema } from './support/contract.js';
import { type Receiver, startReceiver } from './support/receiver.js';
import { FIDS } from './support/seed.js';
import { startTradeNetwork, type Trade, type TradeNetwork } from './support/trade.js';
import { type Market, ON_BASE } from './support/uniswap.js';

let trading: TradeNetwork;
let market: Market;

interface Told {
  readonly type: string;
  readonly data: Trade;
}
let receivers: Record<'all' | 'rich' | 'bob' | 'banning', Receiver>;
/** Runs a round, and waits until its deliveries were sent. */
const roundToldAll = async (): Promise<void> => {
  await trading.round();
  const unsent = () =>
    trading.network.sql(`
      select 1 from webhook_delivery where state = 'pending'
      union all select 1 from webhook_cursor where log_id < (select max(id) from hub_event)`);
  await expect.poll(unsent).toEqual([]);
};
const toldTo = (name: keyof typeof receivers): Told[] =>
  receivers[name].received.map(({ body }) => JSON.parse(body) as Told);

beforeAll(async () => {
  trading = await startTradeNetwork();
  ({ market } = trading);
  const { network } = trading;
  await market.pool([trading.gold, ON_BASE.wrapped]);
  const [all, rich, bob, banning] = await Promise.all([1, 2, 3, 4].map(() => startReceiver()));
  receivers = { all, rich, bob, banning } as typeof receivers;
  const subscribe = async (name: keyof typeof receivers, filters: object, headers?: Record<string, string>) => {
    const body = { name, url: receivers[name].url, subscription: { 'trade.created': filters } };
    expect((await network.send('POST', '/v2/social/webhook/', body, headers)).status).toBe(200);
  };
  await subscribe('all', { minimum_trader_service_score: 0 });
  await subscribe('rich', { fids: [FIDS.alice], minimum_token_amount_usdc: 1000 });
  await subscribe('bob', { fids: [FIDS.bob] });
  const other = await createSecondApp(network);
  await network.send('POST', '/v2/social/ban/', { fids: [FIDS.alice] }, other.headers);
  await subscribe('banning', {}, other.headers);
}, 180_000);
afterAll(async () => {
  await trading.stop();
  await Promise.all(Object.values(receivers).map((receiver) => receiver.stop()));
});

test('trade.created tells each trade once, after two blocks, to those whose filters match', async () => {
  const swap = (ether: string) =>
    market.swapV3(trading.alice, [ON_BASE.wrapped, trading.gold], parseEther(ether), parseEther(ether));
  const small = await swap('0.01');
  const large = await swap('0.5');
  await trading.searched(large);
  await roundToldAll();
  expect(toldTo('all').map(({ data }) => data.transaction.hash)).not.toContain(large);
  await trading.chain.mine(2);
  await roundToldAll();
  expect(toldTo('all').length).toBeGreaterThan(1);
  expect(toldTo('rich').length).toBe(1);
  const hashes = toldTo('all').map(({ data }) => data.transaction.hash);
  expect(hashes).toEqual(expect.arrayContaining([small, large]));
  expect(new Set(hashes).size).toBe(hashes.length);
  const [event] = toldTo('rich');
  expect(validateAgainstSchema('WebhookTradeEvent', event)).toEqual([]);
  expect(event).toMatchObject({
    type: 'trade.created',
    data: {
      object: 'trade',
      trader: { fid: FIDS.alice, username: 'alice' },
      pool: { protocol_version: 'v3' },
      transaction: {
        hash: large,
        network: { object: 'network', name: 'base' },
        net_transfer: {
          sending_fungible: { token: { symbol: 'ETH' }, balance: { in_token: '0.5', in_usd: 1250 } },
          receiving_fungible: { token: { symbol: 'GLD', decimals: 18 } },
        },
      },
    },
  });
  expect([toldTo('bob'), toldTo('banning')]).toEqual([[], []]);
});

test('trade.created waits for a network that does not respond, and for no network that is not configured', async () => {
  const { network, proxy } = trading;
  await network.sql(`
    insert into trade (network, tx_hash, wallet, fid, block, block_hash, at, sold_token, bought_token, sold, bought,
                       sold_decimals, bought_decimals, is_announced)
    select 'optimism', tx_hash, wallet, fid, 1, block_hash, at, sold_token, bought_token, sold, bought, sold_decimals,
           bought_decimals, false from trade limit 1`);
  await network.sql(`
    insert into trade_search (network, chain_id, low, low_at, high, high_at, span)
    values ('optimism', 10, 0, now(), 100, now(), 500)`);
  const waiting = async () =>
    (await network.sql("select 1 from trade where network = 'base' and not is_announced")).length;
  proxy.decide = ({ method }) => (method === 'eth_call' ? 'break' : 'pass');
  await network.sql("update trade set is_announced = false where network = 'base'");
  const before = await waiting();
  expect(before).toBeGreaterThan(1);
  await trading.round();
  expect(await waiting()).toBe(before);
  proxy.decide = () => 'pass';
  await trading.roundsUntil(async () => (await waiting()) === 0);
  await roundToldAll();
}, 90_000);

test('trade.created tells nothing again of a trade that is gone for a while', async () => {
  const { network, proxy, gold } = trading;
  const before = toldTo('all').length;
  const known = async () => (await trading.tradesOf(gold)).length;
  const count = await known();
  proxy.decide = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : 'pass');
  await trading.chain.mine(1);
  await trading.roundsUntil(async () => (await known()) === 0);
  proxy.decide = () => 'pass';
  await trading.chain.mine(1);
  await trading.roundsUntil(async () => (await known()) === count);
  await trading.chain.mine(3);
  await roundToldAll();
  expect(toldTo('all').length).toBe(before);
  expect(await network.sql("select 1 from trade where network = 'base' and not is_announced")).toEqual([]);
}, 90_000);

test('trade.created tells nothing again after another round', async () => {
  const before = toldTo('all').length;
  await trading.chain.mine(3);
  await roundToldAll();
  expect(toldTo('all').length).toBe(before);
});
