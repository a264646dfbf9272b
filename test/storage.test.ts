import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { rentEvent } from '../src/sample/onchain.js';
import { type AccountNetwork, startAccountNetwork } from './support/account.js';
import { REGISTRY, registryOwner } from './support/registry.js';

const BUY = '/v2/social/storage/buy/';

let fixture: AccountNetwork;
beforeAll(async () => {
  fixture = await startAccountNetwork();
});
afterAll(() => fixture.stop());

const allocations = async (fid: number) =>
  (await fixture.network.get(`/v2/social/storage/allocations/?fid=${fid}`)).body;
const usage = async (fid: number) => (await fixture.network.get(`/v2/social/storage/usage/?fid=${fid}`)).body;
const buy = (body: object, headers = fixture.headers) => fixture.network.send('POST', BUY, body, headers);
const someone = async (): Promise<number> => (await fixture.registerOnchain()).body.user.fid;

/** Stores that units were rented at a time, as a hub tells it. */
const rent = async (fid: number, units: number, at: string, logIndex: number): Promise<void> => {
  const event = rentEvent(
    { seed: 'storage test', fid, at: fromUnixMs(Date.parse(at)), logIndex },
    Buffer.alloc(20),
    units,
  );
  await fixture.network.app.core.ingest.submit([{ kind: 'onchain', event }], { source: 'hub', announce: true });
};

test('lists what was rented, newest first, with the units that count today', async () => {
  const fid = await someone();
  await rent(fid, 1, '2023-01-01T00:00:00Z', 1);
  await rent(fid, 2, '2024-06-01T00:00:00Z', 2);
  await rent(fid, 3, '2025-01-01T00:00:00Z', 3);
  const { allocations: list, total_active_units: total } = await allocations(fid);
  expect(list.map(({ units }: { units: number }) => units)).toEqual([1, 3, 2, 1]);
  expect(list[1]).toMatchObject({
    object: 'storage_allocation',
    user: { object: 'user_dehydrated', fid },
    timestamp: '2025-01-01T00:00:00.000Z',
    // Units of 2024 were prolonged twice.
    expiry: '2028-01-01T00:00:00.000Z',
  });
  const limits = (await fixture.network.get(`/v1/storageLimitsByFid?fid=${fid}`)).body;
  expect(total).toBe(limits.units);
  const used = await usage(fid);
  const capacityOf = (type: string) => limits.limits.find((one: { storeType: string }) => one.storeType === type).limit;
  expect(used).toMatchObject({
    object: 'storage_usage',
    total_active_units: limits.units,
    casts: { object: 'storage', used: 0, capacity: capacityOf('STORE_TYPE_CASTS') },
    reactions: { used: 0, capacity: capacityOf('STORE_TYPE_REACTIONS') },
    links: { used: 0, capacity: capacityOf('STORE_TYPE_LINKS') },
    verified_addresses: { used: 0, capacity: capacityOf('STORE_TYPE_VERIFICATIONS') },
    username_proofs: { used: 0, capacity: capacityOf('STORE_TYPE_USERNAME_PROOFS') },
    signers: { used: 0, capacity: 1000 },
  });
});

test('an unknown fid and fid 0 have no storage, and an invalid fid is a 400', async () => {
  expect(await allocations(7_000_000)).toEqual({ allocations: [], total_active_units: 0 });
  expect(await usage(7_000_000)).toMatchObject({ total_active_units: 0, casts: { used: 0, capacity: 0 } });
  expect(await allocations(0)).toEqual({ allocations: [], total_active_units: 0 });
  expect((await usage(0)).user).toBeUndefined();
  for (const fid of ['', '-1', 'x', '1.5']) {
    const answer = await fixture.network.get(`/v2/social/storage/usage/?fid=${fid}`);
    expect([fid, answer.status, answer.body.property]).toEqual([fid, 400, 'fid']);
  }
});

test('keys that messages registered do not count, and times beyond the calendar are shown', async () => {
  const fid = await someone();
  const key = 'insert into signer_key (fid, key, key_type, active, block_number, log_index, decided_at)';
  await fixture.network.sql(`${key} values ($1, $2, 1, true, 7, 0, now()), ($1, $3, 1, true, 0, 0, now())`, [
    fid,
    Buffer.alloc(32, 1),
    Buffer.alloc(32, 2),
  ]);
  expect((await usage(fid)).signers.used).toBe(1);
  const at = { seed: 'storage test', fid, at: fromUnixMs(Date.parse('2026-01-01T00:00:00Z')), logIndex: 9 };
  const event = { ...rentEvent(at, Buffer.alloc(20), 5), blockTimestamp: 2 ** 52 };
  await fixture.network.app.core.ingest.submit([{ kind: 'onchain', event }], { source: 'hub', announce: true });
  expect((await allocations(fid)).allocations[0].timestamp).toBe('9999-12-31T23:59:59.000Z');
});

test('bought storage is there at once, and bought once for a key', async () => {
  const fid = await someone();
  const body = { fid, units: 2, idem: 'storage-once' };
  const [first, second] = await Promise.all([buy(body), buy(body)]);
  expect([first.status, first.body.total_active_units]).toEqual([200, 3]);
  expect(second.body).toEqual(first.body);
  expect((await allocations(fid)).total_active_units).toBe(3);
  expect((await usage(fid)).casts.capacity).toBe(300);
  expect((await buy({ ...body, units: 3 })).status).toBe(409);
  expect((await buy({ fid })).body.total_active_units).toBe(4);
});

test('money is never sent for nothing', async () => {
  const fid = await someone();
  const { chain, wallet } = fixture;
  const before = await chain.public.getBalance({ address: wallet.address });
  const cases: [object, string][] = [
    [{ fid: 4_000_000 }, 'fid'],
    [{ fid: 2 ** 31 }, 'fid'],
    [{ fid, units: 0 }, 'units'],
    [{ fid, units: 1.5 }, 'units'],
    [{ fid, units: 1e300 }, 'units'],
    [{ fid: 1e300 }, 'fid'],
    [{ fid, units: 1_000_000_000 }, 'body'],
  ];
  await chain.test.setBalance({ address: wallet.address, value: 10n ** 30n });
  for (const [body, property] of cases) {
    const { status, body: error } = await buy(body);
    expect([status, error.code, error.errors[0].path[0]]).toEqual([400, 'InvalidField', property]);
  }
  await chain.test.setBalance({ address: wallet.address, value: before });
  const owner = await registryOwner(chain, 'storageRegistry');
  await chain.test.impersonateAccount({ address: owner });
  await chain.test.setBalance({ address: owner, value: 10n ** 18n });
  const deprecate = async (timestamp: bigint) => {
    const call = { ...REGISTRY.storageRegistry, functionName: 'setDeprecationTimestamp', args: [timestamp] } as const;
    await chain.receipt(chain.wallet.writeContract({ ...call, account: owner, chain: null }));
  };
  const end = BigInt(await chain.now()) + 2n;
  await deprecate(end);
  await chain.setNextTime(Number(end) + 1);
  await chain.mine();
  const { status, body } = await buy({ fid });
  expect([status, body.message]).toEqual([400, expect.stringContaining('does not sell storage any more')]);
});

test('an app spends no more on a day than the operator allows', async () => {
  const limited = await startAccountNetwork({ CASTELLAN_DAILY_SPEND_ETHER: '0.002' });
  try {
    const outcomes: number[] = [];
    for (let count = 0; count < 12; count += 1) outcomes.push((await limited.registerOnchain()).status);
    expect(outcomes).toContain(200);
    expect(outcomes.at(-1)).toBe(400);
    const { body } = await limited.registerOnchain();
    expect([body.code, body.property]).toEqual(['SpendLimitExceeded', 'x-wallet-id']);
    await limited.network.sql('update daily_spend set day = day - 1');
    expect((await limited.registerOnchain()).status).toBe(200);
  } finally {
    await limited.stop();
  }
});
