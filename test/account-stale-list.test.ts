import { hexToBytes, keccak256, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { awaitTransferred } from '../src/account/registration.js';
import { awaitRegistered } from '../src/account/reservation.js';
import { selectAttempts } from '../src/store/onchain/attempt.js';
import { type AccountRegistrationRow, selectRegistration } from '../src/store/registry/account-registration.js';
import { type ReservedAccountRow, selectRegisteringAccounts } from '../src/store/registry/reserved-account.js';
import { type AccountNetwork, newPerson, startAccountNetwork, transferBody } from './support/account.js';
import { registerAccount } from './support/registry.js';
import { type RpcProxy, startRpcProxy } from './support/rpc-proxy.js';

const FID = '/v2/social/user/fid/';
const PATH = '/v2/social/user/';
const POLL = { timeout: 30_000 };

let proxy: RpcProxy;
let fixture: AccountNetwork;
beforeAll(async () => {
  const url = async (chain: AccountNetwork['chain']): Promise<string> => {
    proxy = await startRpcProxy(chain.url);
    return proxy.url;
  };
  fixture = await startAccountNetwork({}, { url });
});
afterEach(() => {
  proxy.decide = () => 'pass';
});
afterAll(async () => {
  await fixture.stop();
  await proxy.stop();
});

const send = (body: object) => fixture.network.send('POST', PATH, body, fixture.headers);

/** Answers broadcasts as a node does, without the chain. @returns the transactions */
const withholdBroadcasts = (): `0x${string}`[] => {
  const withheld: `0x${string}`[] = [];
  proxy.decide = ({ method, params }) => {
    if (method !== 'eth_sendRawTransaction') return 'pass';
    withheld.push(params[0]);
    return { result: keccak256(hexToBytes(params[0])) };
  };
  return withheld;
};

test.each([
  ['waits', false],
  ['waited too long', true],
])('a request that %s reserves its account when the job is the first to see it', async (_, isLate) => {
  const { chain, network } = fixture;
  const { accounts } = network.app.services;
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  proxy.decide = ({ method }) => (method === 'eth_getTransactionReceipt' ? { passAfter: gate } : 'pass');
  const answer = network.get(FID, fixture.headers);
  const registering = () => selectRegisteringAccounts(network.app.core.db, 10);
  await expect.poll(async () => (await registering()).length, POLL).toBe(1);
  const [row] = (await registering()) as [ReservedAccountRow];
  const id = row.transactionId;
  const [attempt] = (await selectAttempts(network.app.core.db, [id])).get(id) ?? [];
  const receipt = await chain.receipt(toHex(attempt?.hash as Uint8Array));
  if (isLate) await network.sql("update reserved_account set reserved_until = now() - interval '1 second'");
  // The job read its list before the request claimed the account, and its receipt arrives first.
  const registry = { ...accounts.registry, receipt: async () => receipt };
  await awaitRegistered({ ...accounts, registry }, row, 0);
  open();
  const { status, body } = await answer;
  const [reserved] = await network.sql<{ state: string; lasts: boolean }>(
    "select state, reserved_until > now() + interval '9 minutes' as lasts from reserved_account where fid = $1",
    [body.fid],
  );
  expect([status, reserved]).toEqual([200, { state: 'reserved', lasts: true }]);
  expect((await send(await transferBody(chain, body.fid, newPerson()))).status).toBe(200);
});

test('a failed transfer does not end the next registration of the same account', async () => {
  const { chain, network } = fixture;
  const { db } = network.app.core;
  const { fid } = (await network.get(FID, fixture.headers)).body;
  const registered = () => selectRegistration(db, fid);
  const broadcasts = withholdBroadcasts();
  const person = newPerson();
  const firstAnswer = send(await transferBody(chain, fid, person));
  await expect.poll(() => broadcasts.length, POLL).toBe(1);
  const first = (await registered()) as AccountRegistrationRow;
  // An address can have one account, so the transfer reverts.
  await registerAccount(chain, person);
  await chain.public.sendRawTransaction({ serializedTransaction: broadcasts[0] as `0x${string}` });
  await firstAnswer;
  await expect.poll(registered, POLL).toBeUndefined();
  const secondAnswer = send(await transferBody(chain, fid, newPerson()));
  await expect.poll(() => broadcasts.length, POLL).toBe(2);
  await expect(awaitTransferred(network.app.services.accounts, first, 0)).rejects.toThrow('rejected');
  expect(await registered()).toMatchObject({ state: 'sent' });
  await chain.public.sendRawTransaction({ serializedTransaction: broadcasts[1] as `0x${string}` });
  expect((await secondAnswer).status).toBe(200);
});
