import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, ensureDefaultAccess } from '../src/access/key.js';
import { MasterKey } from '../src/config/secret.js';
import { restoreBackup } from '../src/db/backup/restore.js';
import { writeBackup } from '../src/db/backup/write.js';
import { embeddedFolder } from '../src/db/data-folder.js';
import type { Database } from '../src/db/database.js';
import { openEmbedded } from '../src/db/embedded/embedded.js';
import { migrate } from '../src/db/migrate.js';
import { createNetworks } from '../src/onchain/rpc/networks.js';
import { createSender } from '../src/onchain/transaction/sender.js';
import { createTransactionTracker } from '../src/onchain/transaction/tracker.js';
import { makeWallet } from '../src/onchain/transaction/wallet.js';
import { startChain, type TestChain } from './support/chain.js';
import { payOnce, unusedAddress } from './support/wallet.js';

const masterKey = MasterKey.parse(MasterKey.generate()) as MasterKey;
const quiet = { progress: () => undefined, signal: new AbortController().signal, now: new Date() };
/** Milliseconds by which the clock of the tracker is ahead. */
let ahead = 31_000;
let chain: TestChain;
let folder: string;
beforeAll(async () => {
  chain = await startChain();
  folder = await mkdtemp(join(tmpdir(), 'castellan-backup-payment-'));
});
afterAll(async () => {
  await chain.stop();
  await rm(folder, { recursive: true });
});

/** Calls `use` with what a service on a database has. */
const onDatabase = async (
  dataDir: string,
  use: (parts: ReturnType<typeof partsOn>) => Promise<void>,
): Promise<void> => {
  await mkdir(embeddedFolder(dataDir), { recursive: true });
  const db = await openEmbedded({ dataDir: embeddedFolder(dataDir) });
  const parts = partsOn(db);
  try {
    await use(parts);
    expect(parts.faults).toEqual([]);
  } finally {
    parts.sender.stop();
    parts.networks.stop();
    await db.close();
  }
};
const partsOn = (db: Database) => {
  const faults: unknown[] = [];
  const networks = createNetworks({ rpc: {}, localChain: { url: async () => chain.url } });
  const dependencies = { db, networks, masterKey, failed: (error: unknown) => void faults.push(error) };
  const sender = createSender({ ...dependencies, clock: Date.now });
  // It leaves the youngest transactions to whoever made them.
  const tracker = createTransactionTracker({ ...dependencies, clock: () => Date.now() + ahead });
  return { db, networks, sender, tracker, faults };
};
const paid = (payee: number) => chain.public.getBalance({ address: unusedAddress(payee) });

test('an older backup repeats no payment by itself: what it knows is found on the chain, new ones get new nonces', async () => {
  const [present, restored] = [join(folder, 'present'), join(folder, 'restored')];
  const file = join(folder, 'one.backup');
  let wallet = { id: '', address: unusedAddress(0) };
  const nonce = () => chain.public.getTransactionCount({ address: wallet.address });
  await onDatabase(present, async ({ db, sender, tracker }) => {
    await migrate(db);
    await ensureDefaultAccess(db, undefined, new Date());
    wallet = await makeWallet(db, masterKey, {
      organizationId: DEFAULT_ORGANIZATION_ID,
      name: 'of a test',
      now: new Date(),
    });
    await chain.test.setBalance({ address: wallet.address, value: parseEther('1') });
    const pay = (payee: number) => payOnce(db, sender, wallet, unusedAddress(payee), `payment ${payee}`);
    await sender.receipt((await pay(1)).id, 20_000);
    await chain.test.setAutomine(false);
    await pay(2);
    await pay(5);
    // One is confirmed, two are on their way.
    await writeBackup(db, file, { ...quiet, version: '0.1.0' });
    // One of these is signed again at a higher price, under another hash.
    ahead = 90_000;
    const attempts = 'select transaction_id from chain_attempt group by transaction_id having count(*) > 1';
    await tracker.round();
    expect(await db.run(attempts)).not.toEqual([]);
    await chain.test.setAutomine(true);
    await chain.test.mine({ blocks: 1 });
    await tracker.round();
    await sender.receipt((await pay(3)).id, 20_000);
    expect(await nonce()).toBe(4);
  });

  await restoreBackup(file, restored, { ...quiet, mayReplace: false });
  await onDatabase(restored, async ({ db, sender, tracker }) => {
    await tracker.round();
    // What used a nonce is looked for after a while.
    ahead = 180_000;
    await tracker.round();
    expect(await nonce()).toBe(4);
    const mined = { state: 'mined', succeeded: true };
    expect(await db.run('select state, succeeded from chain_transaction')).toEqual([mined, mined, mined]);
    const pay = (payee: number) => payOnce(db, sender, wallet, unusedAddress(payee), `payment ${payee}`);
    // Requests from before the backup, repeated with their keys.
    await pay(1);
    await pay(2);
    await pay(5);
    expect([await paid(1), await paid(2), await paid(3), await paid(5), await nonce()]).toEqual([1n, 1n, 1n, 1n, 4]);
    const next = await sender.receipt((await pay(4)).id, 20_000);
    expect([next?.status, await paid(4), await nonce()]).toEqual(['success', 1n, 5]);
    // A request from after it is unknown: who repeats it pays again.
    await sender.receipt((await pay(3)).id, 20_000);
    expect([await paid(3), await nonce()]).toEqual([2n, 6]);
  });
}, 120_000);
