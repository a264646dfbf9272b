import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AccountNetwork, newPerson, onchainBody, startAccountNetwork, transferBody } from './support/account.js';
import { registerAccount } from './support/registry.js';
import { type RpcProxy, startRpcProxy } from './support/rpc-proxy.js';

vi.setConfig({ testTimeout: 60_000 });

const REGISTER = '/v2/social/user/register/';
const BUY = '/v2/social/storage/buy/';

let proxy: RpcProxy;
let fixture: AccountNetwork;
beforeAll(async () => {
  fixture = await startAccountNetwork(
    { CASTELLAN_ACCOUNT_POOL: '2' },
    {
      url: async (chain) => {
        proxy = await startRpcProxy(chain.url);
        return proxy.url;
      },
    },
  );
});
afterAll(async () => {
  await fixture.stop();
  await proxy.stop();
});

const send = (path: string, body: object) => fixture.network.send('POST', path, body, fixture.headers);
const total = async (fid: number): Promise<number> =>
  (await fixture.network.get(`/v2/social/storage/allocations/?fid=${fid}`)).body.total_active_units;
const transactions = async (): Promise<number> =>
  (await fixture.network.sql<{ count: number }>('select count(*)::integer as count from chain_transaction'))[0]
    ?.count ?? 0;

test('while the chain is away, nothing is sent, and the answer says so', async () => {
  const body = await onchainBody(fixture.chain, newPerson());
  const before = await transactions();
  proxy.decide = () => 'break';
  try {
    const { status, body: error } = await send(REGISTER, body);
    expect([status, error.code]).toEqual([500, 'ChainUnavailable']);
    expect((await fixture.network.get('/v2/social/user/fid/', fixture.headers)).status).toBe(500);
  } finally {
    proxy.decide = () => 'pass';
  }
  expect(await transactions()).toBe(before);
});

test('a slow chain gets its time: the hash first, the account with the same request, and once', async () => {
  const { chain } = fixture;
  const person = newPerson();
  const body = { ...(await onchainBody(chain, person)), idem: 'slow' };
  proxy.decide = ({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : 'pass');
  const { status, body: error } = await send(REGISTER, body).finally(() => {
    proxy.decide = () => 'pass';
  });
  expect([status, error.code]).toEqual([500, 'TransactionPending']);
  expect(error.message).toMatch(/0x[0-9a-f]{64}/);
  const answer = await send(REGISTER, body);
  expect([answer.status, answer.body.user.custody_address]).toEqual([200, person.address.toLowerCase()]);
});

test('what a caller did not wait for is stored all the same', async () => {
  const person = newPerson();
  const body = await onchainBody(fixture.chain, person);
  proxy.decide = ({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : 'pass');
  await send(REGISTER, body).finally(() => {
    proxy.decide = () => 'pass';
  });
  const path = `/v2/social/user/custody-address/?custody_address=${person.address}`;
  await expect.poll(async () => (await fixture.network.get(path)).status, { timeout: 30_000 }).toBe(200);
});

test('when a reorganization moves a rent to another block, it counts once', async () => {
  const { chain } = fixture;
  const fid = Number(await registerAccount(chain, newPerson()));
  const { body } = await send(BUY, { fid, units: 3 });
  expect(body.total_active_units).toBe(3);
  const [before] = await fixture.network.sql<{ block: string }>(
    'select block_number as block from onchain_event where fid = $1 and type = 4',
    [fid],
  );
  const hash = await lastHash();
  const raw = await chain.public.request({ method: 'eth_getRawTransactionByHash' as never, params: [hash] as never });
  // The block of the rent goes, and two others come before the rent is mined again.
  await chain.test.request({ method: 'anvil_reorg' as never, params: [1, []] as never });
  await chain.mine(2);
  // The pool may still have it.
  await chain.public.request({ method: 'eth_sendRawTransaction', params: [raw as never] }).catch(() => undefined);
  await chain.mine();
  const moved = await chain.receipt(hash);
  const blockOf = async () =>
    (
      await fixture.network.sql<{ block: string }>(
        'select block_number as block from onchain_event where fid = $1 and type = 4',
        [fid],
      )
    ).map(({ block }) => block);
  expect(String(moved.blockNumber)).not.toBe(String(before?.block));
  await expect
    .poll(async () => (await blockOf()).map(String), { timeout: 40_000 })
    .toEqual([String(moved.blockNumber)]);
  expect(await total(fid)).toBe(3);
});

const lastHash = async (): Promise<`0x${string}`> => {
  const [row] = await fixture.network.sql<{ hash: Buffer }>(
    'select hash from chain_transaction where hash is not null order by created_at desc limit 1',
  );
  return `0x${row?.hash.toString('hex')}`;
};

test('accounts are ready in advance once a wallet registered one', async () => {
  const { body } = await fixture.network.get('/v2/social/user/fid/', fixture.headers);
  const free = async (): Promise<number> =>
    (
      await fixture.network.sql<{ count: number }>(
        "select count(*)::integer as count from reserved_account where state = 'free'",
      )
    )[0]?.count ?? 0;
  await expect.poll(free, { timeout: 40_000 }).toBe(2);
  const before = await transactions();
  const next = await fixture.network.get('/v2/social/user/fid/', fixture.headers);
  expect([next.status, await transactions()]).toEqual([200, before]);
  expect(next.body.fid).not.toBe(body.fid);
  const answer = await send('/v2/social/user/', await transferBody(fixture.chain, next.body.fid, newPerson()));
  expect(answer.status).toBe(200);
});
