import { FarcasterNetwork } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { DAY } from '../src/sample/clock.js';
import type { Wallet } from '../src/sample/key.js';
import { ethereumVerification } from '../src/sample/verification-claim.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

let network: Network;
let seeded: Seeded;
let dan: string;
let erin: string;
let owned: Wallet;
/** A body that holds. */
let sound: { signer_uuid: string; address: string; block_hash: string; eth_signature: string };

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

/** Dan's claim to an address, signed by its owner. */
const claimBy = (owner: Wallet) =>
  ethereumVerification({ fid: FIDS.dan, network: network.app.core.network, blockHash: Buffer.alloc(32, 7) }, owner);

beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY);
  dan = (await approvedSigner(network, seeded.dan)).uuid;
  erin = (await approvedSigner(network, seeded.erin)).uuid;
  owned = seeded.dan.wallet(5);
  const claim = await claimBy(owned);
  sound = {
    signer_uuid: dan,
    address: hex(claim.address),
    block_hash: hex(claim.blockHash),
    eth_signature: hex(claim.claimSignature),
  };
});
afterAll(() => network.stop());

const verify = (body: object): Promise<TestResponse> => network.send('POST', '/v2/social/user/verification/', body);
const unverify = (body: object): Promise<TestResponse> => network.send('DELETE', '/v2/social/user/verification/', body);
const addresses = async (fid: number): Promise<string[]> =>
  (await network.get(`/v2/social/user/bulk/?fids=${fid}`)).body.users[0].verified_addresses.eth_addresses;

test('an address is verified, found, given up, and verified again', async () => {
  for (const _twice of [1, 2]) {
    expect(await verify(sound)).toMatchObject({ status: 200, body: { success: true } });
    expect(await addresses(FIDS.dan)).toEqual([sound.address]);
  }
  const found = await network.get(`/v2/social/user/bulk-by-address/?addresses=${sound.address}`);
  expect(found.body[sound.address][0].fid).toBe(FIDS.dan);
  for (const _twice of [1, 2]) {
    expect((await unverify(sound)).body).toEqual({ success: true });
    expect(await addresses(FIDS.dan)).toEqual([]);
  }
  const upper = `0x${sound.address.slice(2).toUpperCase()}`;
  expect((await verify({ ...sound, address: upper, verification_type: 0, chain_id: 0 })).status).toBe(200);
  expect(await addresses(FIDS.dan)).toEqual([sound.address]);
});

test('a claim for another network is refused with the name of the network that it must be for', async () => {
  const claim = { fid: FIDS.dan, network: FarcasterNetwork.MAINNET, blockHash: Buffer.alloc(32, 7) };
  const { claimSignature } = await ethereumVerification(claim, owned);
  expect(await verify({ ...sound, eth_signature: hex(claimSignature) })).toMatchObject({
    status: 400,
    body: { property: 'eth_signature', message: expect.stringContaining('network 3 (devnet)') },
  });
});

test('a claim that its address did not sign, for this account, is refused', async () => {
  const other = await claimBy(seeded.dan.wallet(6));
  for (const body of [
    { ...sound, signer_uuid: erin },
    { ...sound, eth_signature: hex(other.claimSignature) },
    { ...sound, address: hex(other.address) },
    { ...sound, block_hash: `0x${'00'.repeat(32)}` },
    { ...sound, eth_signature: `0x${'00'.repeat(65)}` },
  ]) {
    const { status, body: error } = await verify(body);
    expect([status, error.property]).toEqual([400, 'eth_signature']);
    expect(error.message).toContain('claimSignature is not by the claimed Ethereum address');
  }
  expect(await addresses(FIDS.erin)).toEqual([]);
});

test('a contract wallet is refused, with the variable that names its chain', async () => {
  const contract = { ...sound, verification_type: 1, chain_id: 10, eth_signature: '0x1234' };
  const { status, body } = await verify(contract);
  expect([status, body.property]).toEqual([400, 'eth_signature']);
  expect(body.message).toContain('the operator has to set CASTELLAN_RPC_OPTIMISM');
});

test.each([
  [{ address: '0x12' }, 'address'],
  [{ address: undefined }, 'address'],
  [{ block_hash: '' }, 'block_hash'],
  [{ block_hash: `0x${'ab'.repeat(31)}` }, 'block_hash'],
  [{ block_hash: 'ab'.repeat(32) }, 'block_hash'],
  [{ eth_signature: '0x' }, 'eth_signature'],
  [{ eth_signature: `0x${'ab'.repeat(64)}` }, 'eth_signature'],
  [{ eth_signature: `0x${'zz'.repeat(65)}` }, 'eth_signature'],
  [{ eth_signature: 7 }, 'eth_signature'],
])('invalid input is a 400 that names the property: %j', async (change, property) => {
  for (const send of [verify, unverify]) {
    const { status, body } = await send({ ...sound, ...change });
    expect([status, body.property]).toEqual([400, property]);
  }
});

test.each([
  [{ verification_type: 2 }, 'verification_type'],
  [{ chain_id: 5 }, 'chain_id'],
  [{ chain_id: 10 }, 'chain_id'],
  [{ verification_type: 1 }, 'chain_id'],
  [{ verification_type: 1, chain_id: 1, eth_signature: `0x${'ab'.repeat(2049)}` }, 'eth_signature'],
])('a contract says on which chain it is: %j', async (change, property) => {
  const { status, body } = await verify({ ...sound, ...change });
  expect([status, body.property]).toEqual([400, property]);
});
