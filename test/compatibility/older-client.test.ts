import { afterAll, beforeAll, expect, test } from 'vitest';
import { toHex } from '../../src/hex.js';
import { type Network, startNetwork } from '../support/network.js';
import { FIDS, type Seeded, seedBasics } from '../support/seed.js';
import { approvedSigner, registerHolder } from '../support/signer.js';
import { recordRun } from './record.js';
import { answeredOf, type Outcome, runProgram } from './run-program.js';

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_PUBLIC_READS: 'hub' });
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
});
afterAll(() => network.stop());

const failed = (outcomes: Readonly<Record<string, Outcome>>) =>
  Object.entries(outcomes).filter(([, outcome]) => 'error' in outcome);

test('@standard-crypto/farcaster-js-neynar works, whose key is in the header api_key', async () => {
  // The custody address of the phrase with which the program asks for a signer.
  await registerHolder(network, 5000, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  const { uuid, fid } = await approvedSigner(network, seeded.heidi);
  const { apiKey, url } = network;
  const cast = toHex(seeded.casts.hello.hash);
  const made = await runProgram('older-client.mjs', url, { apiKey, signer: uuid, fid, other: FIDS.alice, cast });
  expect(failed(made)).toEqual([]);
  const returned = (name: string) => (made[name] as { readonly value: unknown }).value;
  expect(returned('fetchCast')).toMatchObject({ hash: cast, author: { fid: FIDS.alice } });
  expect(returned('fetchCasts')).toMatchObject([{ hash: cast }]);
  expect(returned('searchUsernames')).toMatchObject([{ fid: FIDS.alice }]);
  expect(returned('publishCast')).toMatchObject({ author: { fid }, text: 'Written by the older client' });
  expect(returned('followUsers')).toMatchObject({ success: true });
  recordRun('@standard-crypto/farcaster-js-neynar', answeredOf(made));
});

test('@standard-crypto/farcaster-js-hub-rest reads without a key', async () => {
  const { alice, carol, casts } = seeded;
  const made = await runProgram('hub-client.mjs', network.url, {
    url: network.url,
    fid: carol.fid,
    publicKey: toHex(carol.signer),
    castFid: alice.fid,
    cast: toHex(casts.hello.hash),
    custody: toHex(alice.custody.address),
    username: 'alice',
    message: Buffer.from(casts.hello.wire).toString('hex'),
  });
  expect(failed(made)).toEqual([]);
  const returned = (name: string) => (made[name] as { readonly value: unknown }).value;
  expect(returned('getCastById')).toMatchObject({ hash: toHex(casts.hello.hash) });
  expect(returned('listLinksByTargetFid')).toHaveLength(2);
  expect(returned('listFids')).toHaveLength(4);
  expect(returned('getUsernameProof')).toMatchObject({ fid: alice.fid });
  expect(returned('validateMessage')).toMatchObject({ valid: true });
  for (const [name, outcome] of Object.entries(made)) expect([name, outcome]).not.toEqual([name, { value: null }]);
  recordRun('@standard-crypto/farcaster-js-hub-rest', answeredOf(made));
});
