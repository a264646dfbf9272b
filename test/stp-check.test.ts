import type { Address } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type StpEnvironment, startStpEnvironment } from './support/stp.js';
import { MINT_PRICE, MONTH, PER_PERIOD, PER_SECOND, tier, V1, V2 } from './support/stp-contract.js';
import { setContractCode } from './support/token-environment.js';

let world: StpEnvironment;
beforeAll(async () => {
  world = await startStpEnvironment();
});
afterAll(() => world.stop());
beforeEach(() => {
  world.proxy.decide = () => 'pass';
});

const PATH = '/v2/stp/subscription_check/';
const STRANGER: Address = '0x00000000000000000000000000000000000000aa';
const NOBODY = { object: 'subscribed_to_dehydrated', status: false, expires_at: null, subscribed_at: null, tier: null };

const ask = (contract: string, addresses: readonly string[], chainId = '8453') =>
  world.network.get(`${PATH}?contract_address=${contract}&chain_id=${chainId}&addresses=${addresses.join()}`);

const check = async (contract: string, ...addresses: readonly string[]) => {
  const { status, body } = await ask(contract, addresses);
  expect([status, body]).toEqual([200, body]);
  return body;
};

const mintV1 = (contract: Address, to: Address, seconds: number) => {
  const value = PER_SECOND * BigInt(seconds);
  return world.send(contract, { abi: V1, functionName: 'mintFor', args: [to, value] }, { value });
};

describe('a contract of version 1', () => {
  test('tells who is subscribed, until the time that was bought has passed', async () => {
    const contract = await world.factories.deployV1();
    const { address } = world.custody('bob');
    await mintV1(contract, address, MONTH);
    const until = (await world.chain.now()) + MONTH;
    expect(await check(contract, address, STRANGER)).toEqual({
      [address]: {
        object: 'subscribed_to_dehydrated',
        status: true,
        expires_at: until * 1000,
        subscribed_at: null,
        tier: {
          id: 0,
          price: {
            period_duration_seconds: MONTH,
            tokens_per_period: (PER_SECOND * BigInt(MONTH)).toString(),
            initial_mint_price: '0',
          },
        },
      },
      [STRANGER]: NOBODY,
    });
    await world.index();
    const minted = (await world.chain.now()) * 1000;
    expect((await check(contract, address))[address]).toMatchObject({ status: true, subscribed_at: minted });
    // The time is that of the token that the contract reports, and of no other one.
    const moveTo = (id: string) =>
      world.network.sql(`update stp_transfer set token_id = ${id} where contract = decode($1, 'hex')`, [
        contract.slice(2),
      ]);
    await moveTo('99');
    expect((await check(contract, address))[address]).toMatchObject({ status: true, subscribed_at: null });
    await moveTo('1');
    await world.pass(MONTH + 1);
    expect(await check(contract, address)).toEqual({ [address]: NOBODY });
  });

  test('counts the later end of what was bought and what was granted, not their sum', async () => {
    const contract = await world.factories.deployV1();
    const { address } = world.custody('carol');
    await mintV1(contract, address, MONTH);
    const bought = (await world.chain.now()) + MONTH;
    await world.send(contract, { abi: V1, functionName: 'grantTime', args: [[address], 1000n] });
    expect((await check(contract, address))[address].expires_at).toBe(bought * 1000);
    await world.send(contract, { abi: V1, functionName: 'grantTime', args: [[address], BigInt(2 * MONTH)] });
    const [, , , expiresAt] = await world.chain.public.readContract({
      address: contract,
      abi: V1,
      functionName: 'subscriptionOf',
      args: [address],
    });
    expect((await check(contract, address))[address].expires_at).toBe(Number(expiresAt) * 1000);
    expect(Number(expiresAt)).toBeGreaterThan(bought);
  });

  test('shows a grant beyond the calendar as its last second', async () => {
    const contract = await world.factories.deployV1();
    await world.send(contract, { abi: V1, functionName: 'grantTime', args: [[STRANGER], 10n ** 30n] });
    expect((await check(contract, STRANGER))[STRANGER].expires_at).toBe(Date.parse('9999-12-31T23:59:59Z'));
  });

  test('follows a token to its next owner, and ends with a refund', async () => {
    const contract = await world.factories.deployV1();
    const [dan, erin] = [world.custody('dan'), world.custody('erin')];
    await mintV1(contract, dan.address, MONTH);
    const call = { abi: V1, functionName: 'transferFrom', args: [dan.address, erin.address, 1n] };
    await world.send(contract, call, { from: dan });
    expect(await check(contract, dan.address, erin.address)).toMatchObject({
      [dan.address]: NOBODY,
      [erin.address]: { status: true },
    });
    await world.send(contract, { abi: V1, functionName: 'refund', args: [0n, [erin.address]] });
    await world.chain.mine();
    expect(await check(contract, erin.address)).toEqual({ [erin.address]: NOBODY });
  });
});

describe('a contract of version 2', () => {
  test('tells the tier of a subscription, also after a change of tier', async () => {
    const contract = await world.factories.deployV2();
    const { address } = world.custody('bob');
    const value = MINT_PRICE + PER_PERIOD;
    await world.send(contract, { abi: V2, functionName: 'mintFor', args: [address, value] }, { value });
    const until = (await world.chain.now()) + MONTH;
    expect(await check(contract, address, STRANGER)).toEqual({
      [address]: {
        object: 'subscribed_to_dehydrated',
        status: true,
        expires_at: until * 1000,
        subscribed_at: null,
        tier: {
          id: 1,
          price: {
            period_duration_seconds: MONTH,
            tokens_per_period: PER_PERIOD.toString(),
            initial_mint_price: MINT_PRICE.toString(),
          },
        },
      },
      [STRANGER]: NOBODY,
    });
    const higher = tier({ pricePerPeriod: 7n, initialMintPrice: 0n });
    await world.send(contract, { abi: V2, functionName: 'createTier', args: [higher] });
    await world.send(contract, { abi: V2, functionName: 'grantTime', args: [address, MONTH, 2] });
    expect((await check(contract, address))[address].tier).toEqual({
      id: 2,
      price: { period_duration_seconds: MONTH, tokens_per_period: '7', initial_mint_price: '0' },
    });
  });

  test('ends with the time, with a refund, and when it is deactivated', async () => {
    const contract = await world.factories.deployV2();
    const [bob, carol] = [world.custody('bob').address, world.custody('carol').address];
    const value = MINT_PRICE + PER_PERIOD;
    for (const account of [bob, carol])
      await world.send(contract, { abi: V2, functionName: 'mintFor', args: [account, value] }, { value });
    await world.send(contract, { abi: V2, functionName: 'refund', args: [carol, 0n] });
    await world.chain.mine();
    expect(await check(contract, bob, carol)).toMatchObject({ [bob]: { status: true }, [carol]: NOBODY });
    await world.pass(MONTH + 1);
    expect(await check(contract, bob, carol)).toEqual({ [bob]: NOBODY, [carol]: NOBODY });
    await world.send(contract, { abi: V2, functionName: 'deactivateSubscription', args: [bob] });
    expect(await check(contract, bob)).toEqual({ [bob]: NOBODY });
  });
});

describe('the request', () => {
  test('returns the addresses as they were written', async () => {
    const contract = await world.factories.deployV1();
    const { address } = world.custody('bob');
    await mintV1(contract, address, MONTH);
    const lower = address.toLowerCase();
    const body = await check(contract, address, lower, lower);
    expect(Object.keys(body)).toEqual([address, lower]);
    expect(body[address]).toEqual(body[lower]);
    expect(body[lower].status).toBe(true);
  });

  test('may have 350 addresses, for a bounded number of calls', async () => {
    const contract = await world.factories.deployV2();
    const addresses = Array.from({ length: 351 }, (_, index) => `0x${(index + 4096).toString(16).padStart(40, '0')}`);
    world.proxy.forget();
    expect(Object.values(await check(contract, ...addresses.slice(0, 350)))).toEqual(Array(350).fill(NOBODY));
    expect(world.proxy.count('eth_call')).toBeLessThanOrEqual(6);
    expect((await ask(contract, addresses)).status).toBe(400);
  });

  test.each(['0x2105', '08453', '8453.0', '31337', '1', '99999999999999999999', 'base', ''])(
    'is refused for the chain "%s"',
    async (chainId) => {
      const { status, body } = await ask(STRANGER, [STRANGER], chainId);
      expect([status, body.property]).toEqual([400, 'chain_id']);
    },
  );

  test('is refused for what is no subscription contract', async () => {
    const token = world.factories.v1;
    const lying = '0x00000000000000000000000000000000000000b1';
    // Returns one word of ones for every call.
    await setContractCode(world.chain, lying, '0x5f195f5260205ff3');
    const endless = '0x00000000000000000000000000000000000000b2';
    await setContractCode(world.chain, endless, '0x5b5f56');
    const long = '0x00000000000000000000000000000000000000b3';
    // Returns 16 MB.
    await setContractCode(world.chain, long, '0x63010000005ff3');
    for (const contract of [STRANGER, token, lying, endless, long]) {
      const { status, body } = await ask(contract, [STRANGER]);
      expect([contract, status, body.property]).toEqual([contract, 400, 'contract_address']);
    }
    for (const [contract, addresses] of [
      ['0x12', STRANGER],
      [`${STRANGER}0`, STRANGER],
      [STRANGER, 'alice.eth'],
      [STRANGER, `${STRANGER},`],
      [STRANGER, ''],
    ] as const) {
      expect((await ask(contract, [addresses])).status, `${contract} ${addresses}`).toBe(400);
    }
    const broken = world.custody('bob').address.replace(/[a-f]/, (letter) => letter.toUpperCase());
    const mixed =
      broken === world.custody('bob').address ? broken.replace(/[A-F]/, (one) => one.toLowerCase()) : broken;
    expect((await ask(world.factories.v1, [mixed])).body.property).toBe('addresses');
  });

  test('fails while the chain does not respond', async () => {
    const contract = await world.factories.deployV1();
    world.proxy.decide = () => 'break';
    const { status, body } = await ask(contract, [STRANGER]);
    expect([status, body.code]).toEqual([500, 'ChainUnavailable']);
  });
});
