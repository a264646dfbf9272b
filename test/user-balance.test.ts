import { type Address, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import {
  balanceOf,
  deployToken,
  mintToken,
  NATIVE,
  startTokenEnvironment,
  type TokenEnvironment,
} from './support/token-environment.js';

const PATH = '/v2/social/user/balance/';

let world: TokenEnvironment;
let seeded: Seeded;
let alice: Address;
let token: Address;

beforeAll(async () => {
  world = await startTokenEnvironment(async ({ base }) => {
    token = await deployToken(base, 'Token', 'TKN', 6);
    return [{ chainId: 8453, address: token, name: 'Token', symbol: 'TKN', decimals: 6 }];
  });
  seeded = await seedBasics((items) => world.network.load(items));
  alice = toHex(seeded.alice.wallet(1).address);
  await mintToken(world.chains.base, token, alice, 1_234_567n);
  await world.chains.ethereum.test.setBalance({ address: alice, value: 1_500_000_000_000_000_001n });
});
afterAll(() => world.stop());
afterEach(() => {
  for (const proxy of Object.values(world.proxies)) proxy.decide = () => 'pass';
  world.prices.coins.clear();
  world.later(60_001);
});

const ask = (query: string) => world.network.get(`${PATH}?${query}`);

test('the verified addresses of a user are read on each requested network', async () => {
  world.prices.set('coingecko:ethereum', 2000);
  const { status, body } = await ask(`fid=${FIDS.alice}&networks=base,ethereum`);
  expect(status).toBe(200);
  const { user_balance: balance } = body;
  expect(balance.user).toMatchObject({ object: 'user_dehydrated', fid: FIDS.alice, username: 'alice' });
  expect(await balanceOf(world.chains.base, token, alice)).toBe(1_234_567n);
  expect(await balanceOf(world.chains.ethereum, NATIVE, alice)).toBe(1_500_000_000_000_000_001n);
  expect(balance).toEqual({
    object: 'user_balance',
    user: balance.user,
    address_balances: [
      {
        object: 'address_balance',
        verified_address: { address: alice, network: 'base' },
        token_balances: [
          {
            object: 'token_balance',
            token: { object: 'token', name: 'Token', symbol: 'TKN', address: token.toLowerCase(), decimals: 6 },
            // No price: not 0, and the member must be a text.
            balance: { in_token: '1.234567', in_usdc: '' },
          },
        ],
      },
      {
        object: 'address_balance',
        verified_address: { address: alice, network: 'ethereum' },
        token_balances: [
          {
            object: 'token_balance',
            token: { object: 'token', name: 'Ether', symbol: 'ETH', address: NATIVE, decimals: 18 },
            balance: { in_token: '1.500000000000000001', in_usdc: '3000.000000000000002' },
          },
        ],
      },
    ],
  });
});

test('several addresses are in the order of their verification', async () => {
  const second = toHex(seeded.alice.wallet(2).address);
  await seeded.send(await seeded.alice.verifyEthereum(seeded.alice.wallet(2)));
  await mintToken(world.chains.base, token, second, 5n);
  const { body } = await ask(`fid=${FIDS.alice}&networks=base`);
  const shown = body.user_balance.address_balances.map(
    (one: { verified_address: { address: string }; token_balances: { balance: { in_token: string } }[] }) => [
      one.verified_address.address,
      ...one.token_balances.map(({ balance }) => balance.in_token),
    ],
  );
  expect(shown).toEqual([
    [alice, '1.234567'],
    [second, '0.000005'],
  ]);
});

test('networks may be repeated and count once', async () => {
  const repeated = await ask(`fid=${FIDS.alice}&networks=base&networks=base`);
  const once = await ask(`fid=${FIDS.alice}&networks=base`);
  expect([repeated.status, repeated.body]).toEqual([200, once.body]);
});

test('a user with addresses on another chain only has none to read', async () => {
  const { status, body } = await ask(`fid=${FIDS.bob}&networks=base`);
  expect([status, body.user_balance.address_balances]).toEqual([200, []]);
});

test('a network that does not respond is reported; if none responds there is an error', async () => {
  world.proxies.base.decide = () => ({ error: { code: -32_000, message: 'no' } });
  const answer = await ask(`fid=${FIDS.alice}&networks=base,ethereum`);
  expect([answer.status, answer.headers.get('x-partial-networks')]).toEqual([200, 'base']);
  const networks = answer.body.user_balance.address_balances.map(
    (one: { verified_address: { network: string } }) => one.verified_address.network,
  );
  expect(new Set(networks)).toEqual(new Set(['ethereum']));
  const none = await ask(`fid=${FIDS.alice}&networks=base`);
  expect([none.status, none.body.code]).toEqual([500, 'ChainUnavailable']);
});

test('an unknown user is a 404', async () => {
  const { status, body } = await ask('fid=4000001&networks=base');
  expect([status, body.property]).toEqual([404, 'fid']);
});

test.each([
  ['fid', 'networks=base'],
  ['fid', 'fid=0&networks=base'],
  ['networks', `fid=${FIDS.alice}`],
  ['networks', `fid=${FIDS.alice}&networks=`],
  ['networks', `fid=${FIDS.alice}&networks=robinhood`],
  ['networks', `fid=${FIDS.alice}&networks=base,solana`],
  ['networks', `fid=${FIDS.alice}&networks=optimism`],
])('a wrong %s is rejected by name: %s', async (property, query) => {
  const { status, body } = await ask(query);
  expect([status, body.code, body.property]).toEqual([400, 'InvalidField', property]);
});
