import { randomUUID } from 'node:crypto';
import { type Address, checksumAddress, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecondApp } from './support/app.js';
import { delay } from './support/delay.js';
import { someone } from './support/nft.js';
import { deployOddToken, mintOddToken } from './support/odd-token.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { deployToken, mintToken, startTokenEnvironment, type TokenEnvironment } from './support/token-environment.js';

let environment: TokenEnvironment;
let seeded: Seeded;
let gold: Address;
let usd: Address;

beforeAll(async () => {
  environment = await startTokenEnvironment();
  const { base } = environment.chains;
  gold = await deployToken(base, 'Gold', 'GLD');
  usd = await deployToken(base, 'Dollar', 'USD', 6);
  seeded = await seedBasics((items) => environment.network.load(items));
});
afterAll(() => environment.stop());

const get = (path: string, headers?: Record<string, string>) => environment.network.get(path, headers);
const idOf = (token: Address, chainId = 8453): string => `eip155:${chainId}/erc20:${token}`;
const lower = (address: Address): string => address.toLowerCase();

describe('tokens by id', () => {
  const fungibles = async (ids: readonly string[], more = '') => {
    const { status, body, headers } = await get(`/v2/social/fungibles/?fungibles=${ids.join()}${more}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return { list: body.fungibles as { cast_count: number; fungible: Record<string, unknown> }[], headers };
  };

  test('are described as their contracts do, in the order of the request and once', async () => {
    await mintToken(environment.chains.base, gold, someone(1), 5n);
    const { list } = await fungibles([idOf(usd), idOf(gold), idOf(checksumAddress(usd)), idOf(someone(9))]);
    expect(list).toEqual([
      expect.objectContaining({ object: 'social_fungible', cast_count: 0 }),
      {
        object: 'social_fungible',
        cast_count: 0,
        fungible: {
          object: 'fungible',
          network: 'base',
          name: 'Gold',
          symbol: 'GLD',
          address: lower(gold),
          decimals: 18,
          total_supply: '5',
          logo: null,
        },
      },
    ]);
    expect(list[0]?.fungible).toMatchObject({ symbol: 'USD', address: lower(usd) });
  });

  test('count the casts about them, in both forms and any case, that the caller may see', async () => {
    const { alice, bob, carol, erin } = seeded;
    const { network } = environment;
    const removed = alice.cast({ text: 'no', parent: idOf(gold) });
    await seeded.send(
      alice.cast({ text: 'one', parent: idOf(gold) }),
      bob.cast({ text: 'two', parent: `chain://${idOf(checksumAddress(gold))}` }),
      carol.cast({ text: 'three', parent: idOf(checksumAddress(gold)) }),
      erin.cast({ text: 'of a banned account', parent: idOf(gold) }),
      carol.cast({ text: 'about another network', parent: idOf(gold, 1) }),
      removed,
      alice.removeCast(removed.hash),
    );
    const counts = async (more?: string) =>
      (await fungibles([idOf(gold), idOf(usd)], more)).list.map((one) => one.cast_count);
    expect(await counts()).toEqual([4, 0]);
    await network.send('POST', '/v2/social/ban/', { fids: [FIDS.erin] });
    expect(await counts()).toEqual([3, 0]);
    await network.send('POST', '/v2/social/mute/', { fid: FIDS.dan, muted_fid: FIDS.bob });
    expect(await counts(`&viewer_fid=${FIDS.dan}`)).toEqual([2, 0]);
    expect(await counts(`&viewer_fid=${FIDS.carol}`)).toEqual([3, 0]);
    // Another app bans nobody.
    const other = (await createSecondApp(network)).headers;
    const { body } = await get(`/v2/social/fungibles/?fungibles=${idOf(gold)}`, other);
    expect(body.fungibles[0].cast_count).toBe(4);
    await network.send('DELETE', '/v2/social/ban/', { fids: [FIDS.erin] });
  });

  test.each([
    ['another namespace', 'eip155:8453/erc721:0x1111111111111111111111111111111111111111'],
    ['no address', 'eip155:8453/erc20:0x12'],
    ['an unknown chain', `eip155:137/erc20:${someone(1)}`],
    ['a test network', `eip155:84532/erc20:${someone(1)}`],
    ['a network without an endpoint', `eip155:10/erc20:${someone(1)}`],
    ['a chain of another kind', 'solana:5eykt/token:abc'],
    ['a wrong checksum', `eip155:8453/erc20:0xA${someone(1).slice(3)}`],
  ])('%s is refused', async (_, id) => {
    const { status, body } = await get(`/v2/social/fungibles/?fungibles=${idOf(gold)},${id}`);
    expect([status, body.property]).toEqual([400, 'fungibles']);
  });

  test('more than 100 ids and a viewer that is none are refused', async () => {
    const many = Array.from({ length: 101 }, (_, index) => idOf(someone(index)));
    expect((await get(`/v2/social/fungibles/?fungibles=${many.join()}`)).status).toBe(400);
    for (const viewer of ['1.5', '0', '-1', 'NaN', 'x', '1e400']) {
      const { status, body } = await get(`/v2/social/fungibles/?fungibles=${idOf(gold)}&viewer_fid=${viewer}`);
      expect([status, body.property]).toEqual([400, 'viewer_fid']);
    }
  });

  test('a network that does not answer is an error, and with others a header', async () => {
    environment.proxies.base.decide = () => 'break';
    const alone = await get(`/v2/social/fungibles/?fungibles=${idOf(gold)}`);
    const ether = await deployToken(environment.chains.ethereum, 'First', 'ONE');
    const { list, headers } = await fungibles([idOf(gold), idOf(ether, 1)]);
    environment.proxies.base.decide = () => 'pass';
    expect(alone.status).toBe(500);
    expect(list.map(({ fungible }) => fungible.symbol)).toEqual(['ONE']);
    expect(headers.get('x-partial-networks')).toBe('base');
  });
});

describe('owners of a token', () => {
  let coin: Address;
  const give = (to: Uint8Array, amount: bigint, token = coin) =>
    mintToken(environment.chains.base, token, toHex(to), amount);

  beforeAll(async () => {
    coin = await deployToken(environment.chains.base, 'Coin', 'CN', 0);
    const { alice, bob, carol, dan, frank } = seeded;
    await give(alice.custody.address, 4n);
    await give(alice.wallet(1).address, 3n);
    await give(bob.custody.address, 5n);
    await give(carol.custody.address, 9n);
    await give(dan.custody.address, 1n);
    await give(frank.custody.address, 2n);
    await give(Buffer.from(someone(5).slice(2), 'hex'), 1000n);
  });

  const owners = async (query: string, headers?: Record<string, string>) => {
    const { status, body } = await get(`/v2/social/fungible/owner/relevant/?network=base&${query}`, headers);
    expect(status, JSON.stringify(body)).toBe(200);
    const fids = (list: readonly { fid: number }[]) => list.map(({ fid }) => fid);
    expect(fids(body.top_relevant_fungible_owners_hydrated)).toEqual(
      fids(body.all_relevant_fungible_owners_dehydrated).slice(0, 10),
    );
    return { fids: fids(body.all_relevant_fungible_owners_dehydrated), body };
  };

  test('are accounts, by the sum of their addresses, the largest first', async () => {
    const { fids, body } = await owners(`contract_address=${coin}`);
    expect(fids).toEqual([FIDS.carol, FIDS.alice, FIDS.bob, FIDS.frank, FIDS.dan]);
    expect(body.top_relevant_fungible_owners_hydrated[1]).toMatchObject({ object: 'user', username: 'alice' });
    expect(body.all_relevant_fungible_owners_dehydrated[1]).toMatchObject({ object: 'user_dehydrated' });
  });

  test('with a viewer are those that it follows and may see', async () => {
    // Alice follows bob and dan.
    const asked = `contract_address=${checksumAddress(coin)}&viewer_fid=${FIDS.alice}`;
    const { fids, body } = await owners(asked);
    expect(fids).toEqual([FIDS.bob, FIDS.dan]);
    expect(body.top_relevant_fungible_owners_hydrated[0].viewer_context).toMatchObject({ following: true });
    await environment.network.send('POST', '/v2/social/mute/', { fid: FIDS.alice, muted_fid: FIDS.bob });
    expect((await owners(asked)).fids).toEqual([FIDS.dan]);
    await environment.network.send('DELETE', '/v2/social/mute/', { fid: FIDS.alice, muted_fid: FIDS.bob });
    expect((await owners(`contract_address=${coin}&viewer_fid=4000001`)).fids).toEqual([]);
  });

  test('leave out accounts that the app banned', async () => {
    await environment.network.send('POST', '/v2/social/ban/', { fids: [FIDS.carol] });
    expect((await owners(`contract_address=${coin}`)).fids).toEqual([FIDS.alice, FIDS.bob, FIDS.frank, FIDS.dan]);
    const other = (await createSecondApp(environment.network)).headers;
    expect((await owners(`contract_address=${coin}`, other)).fids).toContain(FIDS.carol);
    await environment.network.send('DELETE', '/v2/social/ban/', { fids: [FIDS.carol] });
  });

  test('an account whose balance exceeds the total supply is not listed as an owner', async () => {
    const { base } = environment.chains;
    const address = await deployOddToken(base, 'nothing');
    const mint = (to: Uint8Array, amount: bigint) => mintOddToken(base, address, toHex(to), amount);
    await mint(seeded.bob.custody.address, 7n);
    await mint(seeded.dan.custody.address, 2n ** 255n);
    // The supply is the first slot of the token's storage.
    await base.test.setStorageAt({ address, index: 0, value: toHex(10n, { size: 32 }) });
    expect((await owners(`contract_address=${address}`)).fids).toEqual([FIDS.bob]);
  });

  test('of several tokens, by the text of their address', async () => {
    const query = `contract_addresses=${coin},${lower(usd)},${someone(3)}&network=base&viewer_fid=${FIDS.alice}`;
    const { status, body } = await get(`/v2/social/fungible/owner/relevant/bulk?${query}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([coin, lower(usd), someone(3)]);
    expect(body[coin].top_relevant_fungible_owners_hydrated.map(({ fid }: { fid: number }) => fid)).toEqual([
      FIDS.bob,
      FIDS.dan,
    ]);
    const none = { all_relevant_fungible_owners_dehydrated: [], top_relevant_fungible_owners_hydrated: [] };
    expect([body[lower(usd)], body[someone(3)]]).toEqual([none, none]);
  });

  test('are not waited for longer than a request may take', async () => {
    const proxy = environment.proxies.base;
    const late = () => ({ passAfter: delay(1_000) });
    proxy.decide = ({ method }) => (method === 'eth_call' ? late() : 'pass');
    const { status, body } = await get(
      `/v2/social/fungible/owner/relevant/bulk?contract_addresses=${coin}&network=base`,
    );
    proxy.decide = () => 'pass';
    expect([status, body.code]).toEqual([500, 'ChainUnavailable']);
  }, 30_000);

  test('an address in two cases is two keys', async () => {
    const { body } = await get(
      `/v2/social/fungible/owner/relevant/bulk?contract_addresses=${lower(coin)},${checksumAddress(coin)}&network=base`,
    );
    expect(Object.keys(body)).toHaveLength(2);
    expect(body[lower(coin)]).toEqual(body[checksumAddress(coin)]);
  });

  test.each([
    [`contract_address=${someone(3)}&network=base`, 'contract_address'],
    ['contract_address=0x12&network=base', 'contract_address'],
    [`contract_address=${someone(3)}&networks=base`, 'network'],
    [`contract_address=${someone(3)}&network=robinhood`, 'network'],
    [`contract_address=${someone(3)}&network=optimism`, 'network'],
    [`contract_address=${someone(3)}&network=base&viewer_fid=0`, 'viewer_fid'],
  ])('%s is refused', async (query, property) => {
    const { status, body } = await get(`/v2/social/fungible/owner/relevant/?${query}`);
    expect([status, body.property]).toEqual([400, property]);
  });

  test('more than 10 tokens are refused', async () => {
    const many = Array.from({ length: 11 }, (_, index) => someone(index)).join();
    const { status } = await get(`/v2/social/fungible/owner/relevant/bulk?contract_addresses=${many}&network=base`);
    expect(status).toBe(400);
  });

  test('a network that does not answer is an error', async () => {
    environment.proxies.base.decide = () => 'break';
    const { status } = await get(`/v2/social/fungible/owner/relevant/?contract_address=${coin}&network=base`);
    environment.proxies.base.decide = () => 'pass';
    expect(status).toBe(500);
  });

  test('a hundred accounts with ten addresses each are read in a few calls', async () => {
    const { network, proxies } = environment;
    const addresses = Array.from({ length: 10 }, (_, index) => [0, lower(someone(index)).slice(2)]);
    await network.sql(
      `insert into account (fid, first_ts, score, custody_address, verifications)
       select 100000 + n, 1, 0.5, decode(lpad(to_hex(n), 40, '7'), 'hex'), $1 from generate_series(1, 100) n`,
      [JSON.stringify(addresses)],
    );
    proxies.base.forget();
    await owners(`contract_address=${coin}&x=${randomUUID()}`);
    expect(proxies.base.count('eth_call')).toBeLessThan(8);
    await network.sql('delete from account where fid > 100000');
  });
});
