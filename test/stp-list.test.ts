import type { Address } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startNetwork } from './support/network.js';
import { FIDS } from './support/seed.js';
import { type StpEnvironment, startStpEnvironment } from './support/stp.js';
import { MINT_PRICE, MONTH, PER_PERIOD, PER_SECOND, tier, V1, V2 } from './support/stp-contract.js';
import { deployToken, mintToken, setContractCode } from './support/token-environment.js';

let world: StpEnvironment;
beforeAll(async () => {
  world = await startStpEnvironment();
});
afterAll(() => world.stop());
beforeEach(() => {
  world.proxy.decide = () => 'pass';
});

const STRANGER: Address = '0x00000000000000000000000000000000000000aa';
const ART = 'data:image/svg+xml,%3Csvg/%3E';
const METADATA = `data:application/json,${encodeURIComponent(JSON.stringify({ name: 'x', image: ART }))}`;

type Item = Record<string, unknown> & { readonly contract_address: string };

const ask = (path: string, fid: number, more = '') =>
  world.network.get(`/v2/social/user/${path}/?fid=${fid}&subscription_provider=stp${more}`);

const list = async (path: string, fid: number, more = ''): Promise<Item[]> => {
  const { status, body, headers } = await ask(path, fid, more);
  expect([status, body]).toEqual([200, body]);
  expect(headers.get('x-partial-networks')).toBeNull();
  return Object.values(body)[0] as Item[];
};
const subscribedTo = (fid: number, more?: string) => list('subscribed_to', fid, more);
const created = async (fid: number): Promise<Item[]> => {
  const lists = (await list('subscriptions_created', fid)) as unknown as { subscriptions_created: Item[] }[];
  expect(lists.length).toBeLessThanOrEqual(1);
  return lists.flatMap(({ subscriptions_created }) => subscriptions_created);
};
interface Subscriber {
  readonly object: string;
  readonly user: { readonly fid: number; readonly viewer_context?: object };
  readonly subscribed_to: Record<string, unknown>;
}
const subscribers = (fid: number, more?: string) => list('subscribers', fid, more) as unknown as Promise<Subscriber[]>;
const fidsOf = (items: readonly Subscriber[]) => items.map(({ user }) => user.fid);

const mintV1 = async (contract: Address, to: Address, seconds = MONTH): Promise<number> => {
  const value = PER_SECOND * BigInt(seconds);
  await world.send(contract, { abi: V1, functionName: 'mintFor', args: [to, value] }, { value });
  return world.chain.now();
};
const mintV2 = async (contract: Address, to: Address): Promise<number> => {
  const value = MINT_PRICE + PER_PERIOD;
  await world.send(contract, { abi: V2, functionName: 'mintFor', args: [to, value] }, { value });
  return world.chain.now();
};
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

describe('a contract of version 1', () => {
  let contract: Address;
  let minted: number;
  beforeAll(async () => {
    const owner = world.custody('alice');
    contract = await world.factories.deployV1({ name: 'Alice Club', symbol: 'CLUB', uri: METADATA, owner });
    minted = await mintV1(contract, world.custody('bob').address);
    await world.index();
  });

  const description = () => ({
    object: 'subscription',
    provider_name: 'stp',
    contract_address: contract,
    chain: 8453,
    metadata: { title: 'Alice Club', symbol: 'CLUB', art_url: ART },
    owner_address: world.custody('alice').address.toLowerCase(),
    price: {
      period_duration_seconds: MONTH,
      tokens_per_period: (PER_SECOND * BigInt(MONTH)).toString(),
      initial_mint_price: '0',
    },
    tiers: [
      {
        id: 0,
        price: {
          period_duration_seconds: MONTH,
          tokens_per_period: (PER_SECOND * BigInt(MONTH)).toString(),
          initial_mint_price: '0',
        },
      },
    ],
    protocol_version: 1,
    token: { symbol: 'ETH', address: null, decimals: 18, erc20: false },
  });

  test('is listed for its owner', async () => {
    expect(await created(FIDS.alice)).toEqual([description()]);
    expect((await ask('subscriptions_created', FIDS.bob)).body).toEqual({ subscriptions_created: [] });
  });

  test('is listed for its subscriber, with its owner as creator', async () => {
    const [item, ...others] = await subscribedTo(FIDS.bob, `&viewer_fid=${FIDS.dan}`);
    expect(others).toEqual([]);
    expect(item).toEqual({
      ...description(),
      expires_at: iso(minted + MONTH),
      subscribed_at: iso(minted),
      tier: description().tiers[0],
      creator: expect.objectContaining({ object: 'user', fid: FIDS.alice, username: 'alice' }),
    });
    expect(item?.creator).toMatchObject({ viewer_context: { following: true } });
  });

  test('lists its subscriber', async () => {
    const found = await subscribers(FIDS.alice, `&viewer_fid=${FIDS.alice}`);
    expect(found).toEqual([
      {
        object: 'subscriber',
        user: expect.objectContaining({ object: 'user', fid: FIDS.bob, username: 'bob' }),
        subscribed_to: {
          object: 'subscription_dehydrated',
          provider_name: 'stp',
          contract_address: contract,
          chain: 8453,
          expires_at: iso(minted + MONTH),
          subscribed_at: iso(minted),
          tier_id: '0',
          protocol_version: 1,
        },
      },
    ]);
    expect(found[0]?.user.viewer_context).toMatchObject({ following: true });
  });

  test('leaves out addresses without an account, banned and blocked accounts', async () => {
    await mintV1(contract, STRANGER);
    await mintV1(contract, world.custody('erin').address);
    await mintV1(contract, world.custody('frank').address);
    await world.index();
    expect(fidsOf(await subscribers(FIDS.alice))).toEqual([FIDS.frank, FIDS.erin, FIDS.bob]);
    // Erin blocks Frank.
    expect(fidsOf(await subscribers(FIDS.alice, `&viewer_fid=${FIDS.frank}`))).toEqual([FIDS.frank, FIDS.bob]);
    await world.network.send('POST', '/v2/social/ban/', { fids: [FIDS.frank] });
    expect(fidsOf(await subscribers(FIDS.alice))).toEqual([FIDS.erin, FIDS.bob]);
    await world.network.send('POST', '/v2/social/ban/', { fids: [FIDS.alice] });
    expect(await subscribedTo(FIDS.bob)).toEqual([]);
    // What a hidden account did is in no list.
    expect([await subscribedTo(FIDS.frank), await created(FIDS.alice)]).toEqual([[], []]);
    await world.network.send('DELETE', '/v2/social/ban/', { fids: [FIDS.alice, FIDS.frank] });
    expect(await subscribedTo(FIDS.bob)).toHaveLength(1);
    expect([await subscribedTo(FIDS.frank), await created(FIDS.alice)]).toEqual([
      expect.arrayContaining([expect.anything()]),
      expect.arrayContaining([expect.anything()]),
    ]);
  });

  test('has the ecosystem names on the path of the ecosystem', async () => {
    const path = `/v2/farcaster/user/subscribers/?fid=${FIDS.alice}&subscription_provider=`;
    const { status, body } = await world.network.get(`${path}fabric_stp`);
    expect(status).toBe(200);
    expect(body.subscribers).toHaveLength(3);
    expect(body.subscribers[0].user.experimental).toHaveProperty('neynar_user_score');
    expect((await world.network.get(`${path}stp`)).status).toBe(400);
    expect((await world.network.get(`${path}paragraph`)).body).toEqual({ subscribers: [] });
  });

  test('shows an expired subscription to its subscriber alone', async () => {
    const short = await world.factories.deployV1({ owner: world.custody('alice') });
    await world.send(
      short,
      { abi: V1, functionName: 'grantTime', args: [[world.custody('dan').address], 5n] },
      { from: world.custody('alice') },
    );
    await world.pass(6);
    await world.index();
    const [item] = await subscribedTo(FIDS.dan);
    expect(item).toMatchObject({ contract_address: short, tier: { id: 0 } });
    expect(Date.parse(item?.expires_at as string)).toBeLessThanOrEqual((await world.chain.now()) * 1000);
    expect(fidsOf(await subscribers(FIDS.alice))).not.toContain(FIDS.dan);
  });

  test('shows a token that came in place of a former one only once the index has seen it', async () => {
    const contract = await world.factories.deployV1({ owner: world.custody('alice') });
    const erin = world.custody('erin');
    await mintV1(contract, erin.address);
    await world.index();
    const of = async () =>
      (await subscribedTo(FIDS.erin)).filter(({ contract_address }) => contract_address === contract);
    const [former] = await of();
    await world.send(
      contract,
      { abi: V1, functionName: 'transferFrom', args: [erin.address, STRANGER, 1n] },
      { from: erin },
    );
    await world.pass(60);
    const minted = await mintV1(contract, erin.address);
    expect(former?.subscribed_at).not.toBe(iso(minted));
    expect(await of()).toEqual([]);
    await world.index();
    expect(await of()).toMatchObject([{ subscribed_at: iso(minted), expires_at: iso(minted + MONTH) }]);
  });

  test('is not pushed out by tokens of strangers', async () => {
    const contract = await world.factories.deployV1({ owner: world.custody('alice') });
    await mintV1(contract, world.custody('frank').address);
    await world.index();
    const stranger = STRANGER.slice(2);
    await world.network.sql(
      `insert into stp_contract (network, chain_id, address, factory, block, changed_block, read_at, read_block, owner, name, symbol, uri)
       values ('base', 8453, decode($1, 'hex'), '', 1, 1, now(), 1000000, decode($1, 'hex'), 'Gift', 'GFT', '')`,
      [stranger],
    );
    await world.network.sql(
      `insert into stp_transfer (network, chain_id, contract, token_id, block, log_index, recipient, at)
       select 'base', 8453, decode($1, 'hex'), n, 1, n, decode($2, 'hex'), now() + interval '1 day' from generate_series(1, 150) n`,
      [stranger, world.custody('frank').address.slice(2)],
    );
    expect((await subscribedTo(FIDS.frank)).map(({ contract_address }) => contract_address)).toContain(contract);
    await world.network.sql(`delete from stp_contract where address = decode($1, 'hex')`, [stranger]);
  });

  test('is no longer listed for its former owner right after a transfer of ownership', async () => {
    const owner = world.custody('carol');
    const [next, nobody]: [typeof owner, typeof owner] = [world.custody('dan'), world.chain.account(5)];
    const moving = await world.factories.deployV1({ owner });
    await mintV1(moving, world.custody('bob').address);
    await world.index();
    expect(await created(FIDS.carol)).toMatchObject([{ contract_address: moving }]);
    const give = async (from: typeof owner, to: typeof owner): Promise<void> => {
      await world.send(moving, { abi: V1, functionName: 'transferOwnership', args: [to.address] }, { from });
      await world.send(moving, { abi: V1, functionName: 'acceptOwnership', args: [] }, { from: to });
    };
    await give(owner, next);
    expect(await created(FIDS.carol)).toEqual([]);
    expect(await subscribers(FIDS.carol)).toEqual([]);
    await world.index();
    expect(await created(FIDS.dan)).toMatchObject([{ owner_address: next.address.toLowerCase() }]);
    expect(fidsOf(await subscribers(FIDS.dan))).toEqual([FIDS.bob]);
    expect((await subscribedTo(FIDS.bob)).map(({ contract_address }) => contract_address)).toContain(moving);
    await give(next, nobody);
    // A contract without a creator cannot be shown.
    expect((await subscribedTo(FIDS.bob)).map(({ contract_address }) => contract_address)).not.toContain(moving);
  });
});

describe('a contract of version 2', () => {
  test('has tiers, and a price in a token', async () => {
    const currency = await deployToken(world.chain, 'Test Dollar', 'TUSD', 6);
    // Owned by an address that alice verified.
    const contract = await world.factories.deployV2({ currency, owner: world.verified });
    await world.send(
      contract,
      { abi: V2, functionName: 'createTier', args: [tier({ pricePerPeriod: 9n, initialMintPrice: 0n })] },
      { from: world.verified },
    );
    await mintToken(world.chain, currency, world.chain.account(0).address, 10n ** 9n);
    const { address } = world.custody('carol');
    await world.send(
      contract,
      { abi: V2, functionName: 'grantTime', args: [address, MONTH, 2] },
      { from: world.verified },
    );
    const minted = await world.chain.now();
    await world.index();
    const tiers = [
      {
        id: 1,
        price: {
          period_duration_seconds: MONTH,
          tokens_per_period: PER_PERIOD.toString(),
          initial_mint_price: MINT_PRICE.toString(),
        },
      },
      { id: 2, price: { period_duration_seconds: MONTH, tokens_per_period: '9', initial_mint_price: '0' } },
    ];
    const token = { symbol: 'TUSD', address: currency.toLowerCase(), decimals: 6, erc20: true };
    expect((await created(FIDS.alice)).find(({ contract_address }) => contract_address === contract)).toMatchObject({
      protocol_version: 2,
      owner_address: world.verified.address.toLowerCase(),
      metadata: { title: 'Second', symbol: 'TWO', art_url: '' },
      price: tiers[0]?.price,
      tiers,
      token,
    });
    expect(await subscribedTo(FIDS.carol)).toMatchObject([
      {
        contract_address: contract,
        protocol_version: 2,
        price: tiers[1]?.price,
        tier: tiers[1],
        token,
        expires_at: iso(minted + MONTH),
        subscribed_at: iso(minted),
      },
    ]);
    const [first] = await subscribers(FIDS.alice);
    expect(first).toMatchObject({
      user: { fid: FIDS.carol },
      subscribed_to: { contract_address: contract, tier_id: '2', protocol_version: 2 },
    });
  });

  test('moves a subscription with its token, and drops one that lost its tier', async () => {
    const contract = await world.factories.deployV2({ owner: world.custody('bob') });
    const [from, to] = [world.custody('dan'), world.custody('erin')];
    const minted = await mintV2(contract, from.address);
    await world.index();
    const of = async (fid: number) =>
      (await subscribedTo(fid)).filter(({ contract_address }) => contract_address === contract);
    expect(await of(FIDS.dan)).toHaveLength(1);
    const move = { abi: V2, functionName: 'transferFrom', args: [from.address, to.address, 1n] };
    await world.send(contract, move, { from });
    // The index still says that Dan has it, the contract does not.
    expect([await of(FIDS.dan), await of(FIDS.erin)]).toEqual([[], []]);
    await world.index();
    expect(await of(FIDS.dan)).toEqual([]);
    expect(await of(FIDS.erin)).toMatchObject([{ subscribed_at: iso(minted), expires_at: iso(minted + MONTH) }]);
    await world.pass(MONTH + 1);
    expect(await of(FIDS.erin)).toMatchObject([{ expires_at: iso(minted + MONTH) }]);
    expect(fidsOf(await subscribers(FIDS.bob))).toEqual([]);
    await world.send(contract, { abi: V2, functionName: 'deactivateSubscription', args: [to.address] });
    expect(await of(FIDS.erin)).toEqual([]);
  });

  test('is left out when its token of payments is none, and disturbs no other contract', async () => {
    const currency: Address = '0x00000000000000000000000000000000000000c1';
    await setContractCode(world.chain, currency, '0x5b5f56');
    const owner = world.custody('frank');
    const bad = await world.factories.deployV1({ currency, owner });
    const good = await world.factories.deployV1({ owner });
    await world.index();
    expect((await created(FIDS.frank)).map(({ contract_address }) => contract_address)).toEqual([good]);
    // A contract whose code is gone.
    await setContractCode(world.chain, bad, '0x');
    expect((await created(FIDS.frank)).map(({ contract_address }) => contract_address)).toEqual([good]);
  });
});

describe('the requests', () => {
  test('of unknown accounts, and of nobody, are empty', async () => {
    for (const fid of [0, 99_999]) {
      expect(await subscribedTo(fid)).toEqual([]);
      expect(await created(fid)).toEqual([]);
      expect(await subscribers(fid)).toEqual([]);
    }
  });

  test.each(['subscribed_to', 'subscribers', 'subscriptions_created'])(
    'of %s refuse what is no provider',
    async (path) => {
      const bad = ['fid=2', 'fid=2&subscription_provider=other', 'fid=-1&subscription_provider=stp'];
      for (const query of [...bad, 'fid=1.5&subscription_provider=stp', 'subscription_provider=stp'])
        expect((await world.network.get(`/v2/social/user/${path}/?${query}`)).status, query).toBe(400);
    },
  );

  test('fail when the chain does not respond, and only where it is needed', async () => {
    world.proxy.decide = () => 'break';
    const { status, body } = await ask('subscriptions_created', FIDS.alice);
    expect([status, body.code]).toEqual([500, 'ChainUnavailable']);
    expect((await ask('subscriptions_created', 99_999)).status).toBe(200);
  });

  test('are refused without a network that has subscription contracts', async () => {
    const network = await startNetwork({ CASTELLAN_RPC_ARBITRUM: 'http://127.0.0.1:1' });
    try {
      const path = '/v2/social/user/subscribers/?fid=1&subscription_provider=';
      const { status, body } = await network.get(`${path}stp`);
      expect([status, body.property]).toEqual([400, 'subscription_provider']);
      expect(body.message).toContain('CASTELLAN_RPC_BASE');
      expect((await network.get(`${path}newsletter`)).body).toEqual({ subscribers: [] });
    } finally {
      await network.stop();
    }
  });
});
