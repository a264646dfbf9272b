import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wallet } from '../src/sample/key.js';
import { derive } from '../src/sample/random.js';
import type { KeyRequester } from '../src/sample/verification-claim.js';
import { createSecondApp } from './support/app.js';
import { type Network, startNetwork } from './support/network.js';
import { addKey, registerAccount, removeKey, secondsAhead, signKeyRequest } from './support/signer.js';

const APP = 100;
const ANN = 101;
const BEN = 102;
let network: Network;
/** Milliseconds that the service's clock is ahead. */
let ahead = 0;
let custody: KeyRequester['wallet'];
let stranger: KeyRequester['wallet'];

beforeAll(async () => {
  network = await startNetwork({}, undefined, { clock: () => Date.now() + ahead });
  custody = await registerAccount(network, APP);
  await registerAccount(network, BEN);
  stranger = await registerAccount(network, ANN);
});
afterAll(() => network.stop());

const path = '/v2/social/auth_address/developer_managed/';
const addressOf = (label: string) => wallet(derive('auth address test', label)).address;
const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
const padded = (address: Uint8Array) => Buffer.concat([Buffer.alloc(12), address]);
const look = (address: Uint8Array, headers = {}) => network.get(`${path}?address=${hexOf(address)}`, headers);
const register = (body: object) => network.send('POST', `${path}signed_key/`, body);

const requestOf = async (
  address: Uint8Array,
  deadline = secondsAhead(3600),
  signer = custody,
  key = padded(address),
) => ({
  address: hexOf(address),
  app_fid: APP,
  deadline,
  signature: await signKeyRequest(signer, { app_fid: APP, deadline, key }),
});

const userAddresses = async (fid: number) =>
  (await network.get(`/v2/social/user/bulk/?fids=${fid}`)).body.users[0].auth_addresses;

describe('an auth address', () => {
  it('is asked for, approved, shown by its account, and revoked at once when it is removed', async () => {
    const address = addressOf('whole way');
    expect(await look(address)).toMatchObject({ status: 400, body: { property: 'address' } });
    const asked = await register(await requestOf(address));
    expect(asked.body).toEqual({
      address: hexOf(address),
      status: 'pending_approval',
      auth_address_approval_url: expect.stringMatching(new RegExp(`^${network.config.publicUrl}/approve/[\\w-]{43}$`)),
    });
    expect((await look(address)).body).toEqual(asked.body);
    expect(await userAddresses(ANN)).toEqual([]);
    await addKey(network, ANN, padded(address), { requestFid: APP, keyType: 2 });
    expect((await look(address)).body).toEqual({ address: hexOf(address), status: 'approved', fid: ANN });
    expect(await userAddresses(ANN)).toMatchObject([{ address: hexOf(address), app: { fid: APP } }]);
    await removeKey(network, ANN, padded(address), 2);
    expect((await look(address)).body).toEqual({ address: hexOf(address), status: 'revoked', fid: ANN });
    expect(await userAddresses(ANN)).toEqual([]);
    expect(await register(await requestOf(address, secondsAhead(7200)))).toMatchObject({
      status: 400,
      body: { property: 'address' },
    });
  });

  it('is revoked after the deadline of its request, and pending again after a new request', async () => {
    const address = addressOf('lapses');
    const request = await requestOf(address, secondsAhead(60));
    expect((await register(request)).body.status).toBe('pending_approval');
    ahead += 61_000;
    expect((await look(address)).body).toEqual({ address: hexOf(address), status: 'revoked' });
    expect(await register(request)).toMatchObject({ status: 400, body: { property: 'deadline' } });
    expect((await register(await requestOf(address))).body.status).toBe('pending_approval');
  });

  it('is the address padded to 32 bytes: no other key of the same account stands for it', async () => {
    const address = addressOf('padded');
    const unpadded = Buffer.concat([address, Buffer.alloc(12)]);
    const wrong: [string, object][] = [
      ['signature', await requestOf(address, undefined, stranger)],
      ['signature', await requestOf(address, undefined, custody, unpadded)],
      ['signature', await requestOf(address, undefined, custody, Buffer.from(address))],
      // Nobody has its key.
      ['address', await requestOf(new Uint8Array(20))],
      ['address', { ...(await requestOf(address)), address: '0x12' }],
      ['address', { ...(await requestOf(address)), address: hexOf(padded(address)) }],
      ['signature', { ...(await requestOf(address)), signature: 'no hex' }],
    ];
    for (const [property, body] of wrong)
      expect(await register(body)).toMatchObject({ status: 400, body: { property } });
    // An Ed25519 key of the same 32 bytes is another thing.
    await addKey(network, ANN, padded(address), { keyType: 1 });
    expect((await look(address)).status).toBe(400);
  });

  it('that an account already has cannot be requested again, and any app can look up its account', async () => {
    const address = addressOf('held');
    await addKey(network, BEN, padded(address), { keyType: 2 });
    expect(await register(await requestOf(address))).toMatchObject({
      status: 400,
      body: { property: 'address', message: expect.stringContaining(String(BEN)) },
    });
    expect((await look(address, (await createSecondApp(network)).headers)).body).toMatchObject({
      status: 'approved',
      fid: BEN,
    });
  });

  it('takes a sponsor who signed the signature of the app, and no other', async () => {
    const request = await requestOf(addressOf('sponsored'));
    const by = async ({ account }: KeyRequester['wallet']) => ({
      fid: APP,
      signature: await account.signMessage({ message: { raw: request.signature } }),
    });
    expect(await register({ ...request, sponsor: await by(stranger) })).toMatchObject({
      status: 400,
      body: { property: 'sponsor.signature' },
    });
    expect((await look(addressOf('sponsored'))).status).toBe(400);
    expect(await register({ ...request, sponsor: await by(custody) })).toMatchObject({
      status: 200,
      body: { status: 'pending_approval' },
    });
  });

  it('comes back spelled as it was asked for', async () => {
    const address = hexOf(addressOf('spelled')).toUpperCase().replace('0X', '0x');
    const { body } = await register({ ...(await requestOf(addressOf('spelled'))), address });
    expect(body).toMatchObject({ address, status: 'pending_approval' });
  });
});
