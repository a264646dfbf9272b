import { FarcasterNetwork, UserNameType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportItems } from '../src/ingest/file/export.js';
import type { IngestItem } from '../src/ingest/item.js';
import { nameServer, usernameProof } from '../src/sample/verification-claim.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { openTestIngest } from './support/ingest.js';

let source: TestDatabase;
let target: TestDatabase;
beforeAll(async () => {
  source = await openTestDatabase();
  target = await openTestDatabase();
});
afterAll(async () => {
  await source.drop();
  await target.drop();
});

const MAINNET = { network: FarcasterNetwork.MAINNET };
const FILE = { source: 'file', announce: false } as const;
const [owner, stranger] = ['owner', 'stranger'].map((seed) => nameServer(seed));

const proofOf = async (name: string, type: UserNameType, signer = owner): Promise<IngestItem> => {
  if (!owner || !signer) throw new Error('no wallets');
  const claim = { fid: 7, name, timestamp: 1_700_000_000, owner: owner.address, type };
  return { kind: 'proof', proof: await usernameProof(claim, signer) };
};

test('an export of the public network with ENS names and Basenames can be imported', async () => {
  const names = [
    await proofOf('harbor.eth', UserNameType.USERNAME_TYPE_ENS_L1),
    await proofOf('harbor.base.eth', UserNameType.USERNAME_TYPE_BASENAME),
  ];
  await openTestIngest(source.db, MAINNET).submit(names, { source: 'backfill', announce: false });
  const exported: IngestItem[] = [];
  for await (const items of exportItems(source.db)) exported.push(...items);
  const report = await openTestIngest(target.db, MAINNET).submit(exported, FILE);
  expect([report.merged, report.invalid]).toEqual([2, {}]);
  expect(await target.db.run('select name, fid from username_proof order by name')).toEqual([
    { name: 'harbor.base.eth', fid: 7 },
    { name: 'harbor.eth', fid: 7 },
  ]);
});

test('a file has no names that neither the registry nor their owner signed', async () => {
  const forged = [
    await proofOf('forged.eth', UserNameType.USERNAME_TYPE_ENS_L1, stranger),
    await proofOf('forged', UserNameType.USERNAME_TYPE_FNAME),
    // Only the registry gives names without a domain, whatever type the proof has.
    await proofOf('forged', UserNameType.USERNAME_TYPE_ENS_L1),
    await proofOf('forged.eth', UserNameType.USERNAME_TYPE_FNAME),
    await proofOf('forged.eth', UserNameType.USERNAME_TYPE_BASENAME),
  ];
  const report = await openTestIngest(target.db, MAINNET).submit(forged, FILE);
  expect([report.merged, report.invalid]).toEqual([0, { bad_signature: forged.length }]);
});
