import { type Address, pad, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  selectDueSearches,
  upsertUnavailableEndpoint,
  upsertWalletTokens,
} from '../src/store/onchain/transfer-search.js';
import { expectIndexed, explainReads, planNodes } from './support/plan.js';
import { startTokenEnvironment, type TokenEnvironment } from './support/token-environment.js';
import { forgetSearches, pauseTransferScan, runTransferScan, TRANSFER, type Warning } from './support/transfer-scan.js';

let world: TokenEnvironment;
let warnings: Warning[] = [];

beforeAll(async () => {
  world = await startTokenEnvironment();
  await pauseTransferScan(world);
});
afterAll(() => world.stop());
afterEach(async () => {
  warnings = [];
  await forgetSearches(world);
});

const turn = (signal?: AbortSignal): Promise<void> => runTransferScan(world, warnings, signal);

let wallets = 0;
/** A wallet that was not asked for yet. */
const newWallet = (): Address => {
  wallets += 1;
  return pad(toHex(0xaaa_0000 + wallets), { size: 20 });
};

/** Asks for the balances of a wallet, which has it searched. */
const ask = async (wallet: Address, networks = 'base'): Promise<void> => {
  const path = `/v2/onchain/token/balances?networks=${networks}&address=${wallet}`;
  expect((await world.network.get(path)).status).toBe(200);
};

/** Has so many new wallets searched on a chain, as if they were asked for now. */
const requestMany = (chainId: number, count: number) =>
  world.network.sql(
    `insert into transfer_search (chain_id, wallet, asked_at, waits_since, budget)
     select $1, decode(lpad(to_hex(n), 40, '0'), 'hex'), $2, $2, 400 from generate_series(1, $3::integer) n`,
    [chainId, new Date(world.clock()), count],
  );
/** Blocks that a wallet was searched in, lowest and highest; null: none yet. */
const reachOf = async (wallet: Address) => {
  const [row] = await world.network.sql<{ low: number | null; high: number | null }>(
    "select low, high from transfer_search where wallet = decode($1, 'hex')",
    [wallet.slice(2)],
  );
  return row;
};

test('a chain that is down does not delay another one and is retried after a minute', async () => {
  await requestMany(8453, 60);
  world.later(1);
  await ask(newWallet(), 'arbitrum');
  await world.network.sql('update transfer_search set budget = 3 where chain_id = 42161');
  world.proxies.base.decide = () => 'break';
  await turn();
  expect(world.proxies.arbitrum.count('eth_getLogs')).toBe(1);
  expect(warnings).toMatchObject([{ details: { network: 'base' } }]);
  world.proxies.base.decide = () => 'pass';
  world.later(50_000);
  world.proxies.base.forget();
  await turn();
  expect(world.proxies.base.passed).toEqual([]);
  world.later(10_000);
  await turn();
  expect(world.proxies.base.count('eth_getLogs')).toBeGreaterThan(0);
  const [endpoint] = await world.network.sql('select away_turns, away_until from transfer_endpoint');
  expect(endpoint).toEqual({ away_turns: 0, away_until: null });
}, 30_000);

test('a chain that goes down while its events are searched is reported, too', async () => {
  await ask(newWallet());
  world.proxies.base.decide = ({ method }) => (method === 'eth_getLogs' ? 'break' : 'pass');
  await turn();
  expect(warnings).toMatchObject([{ details: { network: 'base' } }]);
  const [endpoint] = await world.network.sql('select away_turns from transfer_endpoint');
  expect(endpoint).toEqual({ away_turns: 1 });
});

test('a chain that stays down is retried less and less often, down to every 32 minutes', async () => {
  await requestMany(8453, 1);
  const { db } = world.network.app.core;
  const start = world.clock();
  const isUntouched = async (ms: number): Promise<boolean> =>
    (await selectDueSearches(db, [8453], { now: new Date(start + ms), refusedSince: new Date(0) }, 1)).length === 0;
  for (const minutes of [1, 2, 4, 8, 16, 32, 32]) {
    await upsertUnavailableEndpoint(db, 8453, 1000, new Date(start));
    expect([minutes, await isUntouched(minutes * 60_000 - 1)]).toEqual([minutes, true]);
    expect([minutes, await isUntouched(minutes * 60_000)]).toEqual([minutes, false]);
  }
});

test('pending searches are found by an index, no matter how many are done', async () => {
  const when = { now: new Date(world.clock()), refusedSince: new Date(0) };
  const plans = await explainReads(world.network.app.core.db, (db) => selectDueSearches(db, [8453], when, 20), {
    fewRows: true,
  });
  expectIndexed(plans);
  for (const { custom, generic } of plans)
    for (const plan of [custom, generic])
      expect(planNodes(plan).map((node) => node['Index Name'])).toContain('transfer_search_due');
});

test('partly searched wallets come before later ones, and every wallet gets its turn', async () => {
  const wallet = newWallet();
  await world.chains.base.mine(150);
  await ask(wallet);
  const error = { code: -32_000, message: 'range too large' };
  world.proxies.base.decide = ({ method, params }) => {
    if (method !== 'eth_getLogs') return 'pass';
    const [{ fromBlock, toBlock }] = params;
    return Number(toBlock) - Number(fromBlock) > 3 ? { error } : 'pass';
  };
  await turn();
  world.proxies.base.decide = () => 'pass';
  const before = await reachOf(wallet);
  expect(before?.low).toBeGreaterThan(0);
  world.later(1);
  await requestMany(8453, 60);
  // However many come, and however often this one is asked for again.
  world.later(60_001);
  await ask(wallet);
  await turn();
  expect((await reachOf(wallet))?.low).toBeLessThan(before?.low as number);
  for (let turns = 0; turns < 3; turns += 1) await turn();
  const { db } = world.network.app.core;
  const when = { now: new Date(world.clock()), refusedSince: new Date(0) };
  expect(await selectDueSearches(db, [8453], when, 100)).toEqual([]);
}, 60_000);

const largeReturnOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    address: pad(toHex(0xf00_0000 + index), { size: 20 }),
    topics: [TRANSFER, pad('0x01'), pad('0x02')],
    blockNumber: toHex(index),
  }));

test('of many spam tokens the newest are stored, even after several floods', async () => {
  const wallet = newWallet();
  await ask(wallet);
  world.proxies.base.decide = ({ method }) => (method === 'eth_getLogs' ? { result: largeReturnOf(1200) } : 'pass');
  await turn();
  const kept = () =>
    world.network.sql<{ n: number; oldest: number }>(
      'select count(*)::int as n, min(block)::int as oldest from wallet_token',
    );
  expect(await kept()).toEqual([{ n: 500, oldest: 700 }]);
  expect(await world.network.sql('select count(*)::int as n from chain_token')).toEqual([{ n: 500 }]);
  const more = largeReturnOf(2300).map(({ address }, block) => ({ token: address.slice(2), block }));
  await upsertWalletTokens(world.network.app.core.db, 8453, wallet.slice(2), more);
  expect(await kept()).toEqual([{ n: 2000, oldest: 300 }]);
});

test('an aborted search reads no contracts', async () => {
  await ask(newWallet());
  const end = new AbortController();
  world.proxies.base.decide = ({ method }) => {
    if (method !== 'eth_getLogs') return 'pass';
    end.abort(new Error('the service stops'));
    return { result: largeReturnOf(3) };
  };
  world.proxies.base.forget();
  await expect(turn(end.signal)).rejects.toThrow('the service stops');
  expect(world.proxies.base.count('eth_call')).toBe(0);
  expect(await world.network.sql('select from chain_token')).toEqual([]);
  // That is no fault of the chain.
  expect(warnings).toEqual([]);
  expect(await world.network.sql('select from transfer_endpoint where away_turns > 0')).toEqual([]);
});
