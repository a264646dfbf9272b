import { getAddress, zeroAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountNetwork, newPerson, onchainBody, onchainSigner, startAccountNetwork } from './support/account.js';
import { registerAccount } from './support/registry.js';

const PATH = '/v2/social/user/register/';

let fixture: AccountNetwork;
beforeAll(async () => {
  fixture = await startAccountNetwork();
});
afterAll(() => fixture.stop());

const send = (body: object, headers = fixture.headers) => fixture.network.send('POST', PATH, body, headers);

test('registers an account, which can be read at once', async () => {
  const person = newPerson();
  const { status, body } = await send(await onchainBody(fixture.chain, person));
  expect([status, body]).toMatchObject([200, { transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) }]);
  const { fid } = body.user;
  expect(getAddress(body.user.custody_address)).toBe(person.address);
  const read = await fixture.network.get(`/v2/social/user/bulk/?fids=${fid}`);
  expect(read.body.users[0]).toMatchObject({ fid, custody_address: person.address.toLowerCase() });
  const events = await fixture.network.get(`/v1/onChainEventsByFid?fid=${fid}&event_type=EVENT_TYPE_STORAGE_RENT`);
  expect(events.body.events[0].storageRentEventBody).toMatchObject({ units: 1 });
});

test('adds signers and extra storage in the same transaction', async () => {
  const app = newPerson();
  const requester = { fid: await registerAccount(fixture.chain, app), custody: app };
  const person = newPerson();
  const signers = await Promise.all([0, 1].map((index) => onchainSigner(fixture.chain, person, requester, index)));
  const { status, body } = await send({
    ...(await onchainBody(fixture.chain, person)),
    signers: signers.map((signer) => signer.body),
    storage_units: 2,
  });
  expect([status, body.message]).toEqual([200, expect.any(String)]);
  const keys = await fixture.network.get(`/v1/onChainSignersByFid?fid=${body.user.fid}`);
  expect(keys.body.events).toHaveLength(2);
  const limits = await fixture.network.get(`/v1/storageLimitsByFid?fid=${body.user.fid}`);
  expect(limits.body.units).toBe(3);
});

test('a repeated request registers nothing and gets the first answer', async () => {
  const body = { ...(await onchainBody(fixture.chain, newPerson())), idem: 'once-and-only' };
  const [first, second] = await Promise.all([send(body), send(body)]);
  expect(first.status).toBe(200);
  expect(second.body).toEqual(first.body);
  expect((await send(body)).body).toEqual(first.body);
});

test('twenty registrations from one wallet at a time all end well', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => fixture.registerOnchain()));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(new Set(answers.map(({ body }) => body.user.fid)).size).toBe(20);
});

test('explains what is wrong before anything is paid', async () => {
  const { chain } = fixture;
  const person = newPerson();
  const good = await onchainBody(chain, person);
  const taken = newPerson();
  await registerAccount(chain, taken);
  const now = BigInt(Math.floor(Date.now() / 1000));
  const changed = (change: object) => ({ registration: { ...good.registration, ...change } });
  const signer = await onchainSigner(chain, person, { fid: 1n, custody: taken });
  const wrongIndex = await onchainSigner(chain, person, { fid: 1n, custody: taken }, 1);
  const cases: [object, string][] = [
    [await onchainBody(chain, person, { nonce: 1n }), 'registration.signature'],
    [await onchainBody(chain, person, { deadline: now - 10n }), 'registration.deadline'],
    [changed({ signature: `0x${'11'.repeat(65)}` }), 'registration.signature'],
    [changed({ signature: '0x111' }), 'registration.signature'],
    [changed({ recovery_address: newPerson().address }), 'registration.signature'],
    [await onchainBody(chain, taken, { nonce: 1n }), 'registration.custody_address'],
    [{ ...good, signers: [{ ...signer.body, key_type: 2 }] }, 'signers.0.key_type'],
    [{ ...good, signers: [{ ...signer.body, metadata_type: 2 }] }, 'signers.0.metadata_type'],
    [{ ...good, signers: [wrongIndex.body] }, 'signers.0.signature'],
    [{ ...good, signers: [signer.body, signer.body] }, 'signers.1.public_key'],
    // fid 1 is not the account of this requester.
    [{ ...good, signers: [signer.body] }, 'body'],
    [
      { ...good, pre_registration_calls: [{ target: zeroAddress, data: '0x12345678' }] },
      'pre_registration_calls.0.target',
    ],
    [{ ...good, storage_units: 2 ** 40 }, 'x-wallet-id'],
    [{ ...good, storage_units: 1e300 }, 'storage_units'],
    [changed({ deadline: 1e300 }), 'registration'],
    [{ ...good, signers: [{ ...signer.body, deadline: 1e300 }] }, 'signers'],
  ];
  const before = await chain.public.getBalance({ address: fixture.wallet.address });
  for (const [body, property] of cases) {
    const answer = await send(body);
    expect([answer.status, answer.body.property, answer.body.message]).toEqual([400, property, expect.any(String)]);
  }
  expect(await chain.public.getBalance({ address: fixture.wallet.address })).toBe(before);
  expect((await send(good)).status).toBe(200);
});

test('a wallet that is missing, foreign, or cannot pay is refused', async () => {
  const body = await onchainBody(fixture.chain, newPerson());
  expect(await send(body, {} as never)).toMatchObject({ status: 400, body: { property: 'x-wallet-id' } });
  const unknown = { 'x-wallet-id': '00000000-0000-4000-8000-00000000abcd' };
  expect(await send(body, unknown)).toMatchObject({ status: 404, body: { property: 'x-wallet-id' } });
  const poor = await fixture.fund('0.00001');
  const { status, body: error } = await send(body, { 'x-wallet-id': poor.id });
  expect([status, error.code, error.property]).toEqual([400, 'InsufficientFunds', 'x-wallet-id']);
});
