import { type Hex, parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStream, type StreamClient } from './support/event-stream.js';
import { type Receiver, startReceiver } from './support/receiver.js';
import { FIDS } from './support/seed.js';
import { startTradeNetwork, type TradeNetwork } from './support/trade.js';
import { type Market, ON_BASE } from './support/uniswap.js';

let trading: TradeNetwork;
let market: Market;
let receiver: Receiver;
const streams: StreamClient[] = [];

beforeAll(async () => {
  trading = await startTradeNetwork();
  ({ market } = trading);
  receiver = await startReceiver();
  await market.pool([trading.gold, ON_BASE.wrapped]);
  await trading.network.sql('update account set score = 0.5 where fid = $1', [FIDS.alice]);
}, 180_000);
afterAll(async () => {
  for (const stream of streams) stream.close();
  await trading.stop();
  await receiver.stop();
});

const stream = async (query: Record<string, string>, path = '/v2/social/stream/'): Promise<StreamClient> => {
  const { network } = trading;
  const client = await openStream(`${network.url}${path}?${new URLSearchParams(query)}`, {
    'x-api-key': network.apiKey,
  });
  expect(client.status, client.text).toBe(200);
  streams.push(client);
  return client;
};
const subscription = (filters: object): { subscription: string } => ({
  subscription: JSON.stringify({ 'trade.created': filters }),
});
const tradesOf = ({ events }: StreamClient) => events.filter(({ type }) => type === 'trade.created');
const hashesOf = (client: StreamClient): Hex[] => tradesOf(client).map(({ data }) => data.transaction.hash);

const swap = (ether: string): Promise<Hex> =>
  market.swapV3(trading.alice, [ON_BASE.wrapped, trading.gold], parseEther(ether), parseEther(ether));
/** Gives everything that was traded its confirmations. */
const confirm = async (hash: Hex): Promise<void> => {
  await trading.searched(hash);
  await trading.chain.mine(2);
  await trading.round();
};
/** The rows of the log that hold a trade. */
const rowsOf = (hash: Hex): Promise<{ id: number }[]> =>
  trading.network.sql("select id::integer from hub_event where type < 0 and convert_from(body, 'UTF8') like $1", [
    `%${hash}%`,
  ]);

test('streams send trades, with and without filters, in both sets of names', async () => {
  const { network } = trading;
  const minimum = { minimum_trader_service_score: 0.5, minimum_token_amount_usdc: 1000 };
  const { minimum_trader_service_score: minimum_trader_neynar_score, ...amount } = minimum;
  const [all, typed, rich, ecosystem, others, casts] = await Promise.all([
    stream({}),
    stream({ types: 'trade.created' }),
    stream(subscription({ fids: [FIDS.alice], ...minimum })),
    stream(subscription({ minimum_trader_neynar_score, ...amount }), '/v2/farcaster/stream/'),
    stream(subscription({ fids: [FIDS.bob] })),
    stream({ types: 'cast.created' }),
  ]);
  const small = await swap('0.01');
  const large = await swap('0.5');
  await confirm(large);
  for (const one of [all, typed])
    await expect.poll(() => hashesOf(one)).toEqual(expect.arrayContaining([small, large]));
  for (const one of [rich, ecosystem]) await expect.poll(() => hashesOf(one)).toEqual([large]);
  expect(new Set(hashesOf(all)).size).toBe(hashesOf(all).length);
  expect([...others.events, ...casts.events]).toEqual([]);

  const [row] = await rowsOf(large);
  const [event] = tradesOf(rich);
  expect(event).toMatchObject({
    id: `${row?.id}-0`,
    type: 'trade.created',
    data: {
      object: 'trade',
      trader: { object: 'user_dehydrated', fid: FIDS.alice, username: 'alice' },
      pool: { object: 'pool', protocol_version: 'v3' },
      transaction: {
        hash: large,
        net_transfer: {
          sending_fungible: { token: { symbol: 'ETH' }, balance: { in_token: '0.5', in_usd: 1250 } },
          receiving_fungible: { token: { symbol: 'GLD', decimals: 18, total_supply: expect.any(String) } },
        },
      },
    },
  });
  expect(tradesOf(ecosystem)).toEqual([event]);
  // It is rendered again from the log, without the chain.
  trading.proxy.decide = () => 'break';
  const again = await stream({ since: `${(row?.id ?? 0) - 1}` });
  await expect.poll(() => tradesOf(again)[0]).toEqual(event);
  trading.proxy.decide = () => 'pass';
  await network.sql('delete from trade');
});

test('a webhook gets trades in a replay, in the names of its path', async () => {
  const { network } = trading;
  const hash = await swap('0.2');
  await confirm(hash);
  const [row] = (await rowsOf(hash)) as [{ id: number }];
  const requests = [
    { path: '/v2/social/webhook/', score: 'minimum_trader_service_score', signature: 'x-service-signature' },
    { path: '/v2/farcaster/webhook/', score: 'minimum_trader_neynar_score', signature: 'x-neynar-signature' },
  ];
  for (const { path, score, signature } of requests) {
    const filters = { 'trade.created': { [score]: 0.5 } };
    const made = await network.send('POST', path, { name: 'late', url: receiver.url, subscription: filters });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    expect(made.body.webhook.subscription.filters).toEqual(filters);
    const replay = { webhook_id: made.body.webhook.webhook_id, from_event_id: `${row.id}-0` };
    expect((await network.send('POST', `${path}replay/`, replay)).body).toMatchObject({ count: 1 });
    await expect.poll(() => receiver.received.filter(({ headers }) => signature in headers)).toHaveLength(1);
    const [received] = receiver.received.filter(({ headers }) => signature in headers);
    expect(received?.headers['x-service-event-id']).toBe(`${row.id}-0`);
    const deliveries = await network.get(`${path}deliveries/?webhook_id=${replay.webhook_id}`);
    expect(deliveries.body.attempts).toMatchObject([{ type: 'trade.created', error: null }]);
    expect(JSON.parse(received?.body ?? '')).toMatchObject({ type: 'trade.created', data: { transaction: { hash } } });
  }
});

test('a trade whose row cannot be written stays unmarked, and is announced once later', async () => {
  const { network } = trading;
  const all = await stream({});
  await network.sql('alter table hub_event add constraint no_trades check (type > 0) not valid');
  const hash = await swap('0.3');
  await expect(confirm(hash)).rejects.toThrow('no_trades');
  expect(await network.sql('select 1 from trade where not is_announced')).not.toEqual([]);
  expect(await rowsOf(hash)).toEqual([]);
  await network.sql('alter table hub_event drop constraint no_trades');
  // Two rounds at once, as of two processes.
  await Promise.all([network.app.announceTrades(), network.app.announceTrades()]);
  await network.app.announceTrades();
  await expect.poll(() => hashesOf(all)).toContain(hash);
  expect(await network.sql('select 1 from trade where not is_announced')).toEqual([]);
  expect(await rowsOf(hash)).toHaveLength(1);
  expect(hashesOf(all).filter((one) => one === hash)).toHaveLength(1);
});

test('a trade of a token whose contract does not answer any more is not sent', async () => {
  const { network } = trading;
  const hash = await swap('0.4');
  await trading.searched(hash);
  await trading.chain.mine(2);
  await network.app.searchTrades(new AbortController().signal);
  await network.sql("update trade set bought_token = decode(repeat('ab', 20), 'hex') where not is_announced");
  // On a busy machine, reading the contract may take too long at first: then it is tried again.
  await expect
    .poll(async () => {
      await network.app.announceTrades();
      return network.sql('select 1 from trade where not is_announced');
    })
    .toEqual([]);
  expect(await rowsOf(hash)).toEqual([]);
});

test('hub endpoints show no trades', async () => {
  const { network } = trading;
  const trades = await network.sql<{ id: number }>('select id::integer from hub_event where type < 0');
  expect(trades).not.toEqual([]);
  for (const { id } of trades) {
    expect((await network.get(`/v1/eventById?event_id=${id}`)).status).toBe(404);
  }
  const known = await network.sql<{ id: number }>('select id::integer from hub_event where type > 0 order by id');
  for (const reverse of [false, true]) {
    const { status, body } = await network.get(`/v1/events?from_event_id=0&reverse=${reverse}`);
    expect(status).toBe(200);
    const ids = body.events.map(({ id }: { id: number }) => id);
    expect(reverse ? ids.toReversed() : ids).toEqual(known.map(({ id }) => id));
  }
});
