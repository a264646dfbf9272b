import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, ensureDefaultAccess } from '../src/access/key.js';
import { MasterKey } from '../src/config/secret.js';
import type { Database } from '../src/db/database.js';
import { openEmbedded } from '../src/db/embedded/embedded.js';
import { migrate } from '../src/db/migrate.js';
import { openPostgres } from '../src/db/postgres.js';
import { createNetworks } from '../src/onchain/rpc/networks.js';
import type { ChainDependencies } from '../src/onchain/transaction/dependencies.js';
import { createSender } from '../src/onchain/transaction/sender.js';
import { createTransactionTracker } from '../src/onchain/transaction/tracker.js';
import { makeWallet, type UsableWallet } from '../src/onchain/transaction/wallet.js';
import { startChain, type TestChain } from './support/chain.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { type ProxiedRequest, type RpcProxy, startRpcProxy } from './support/rpc-proxy.js';
import { payOnce, unusedAddress } from './support/wallet.js';

// A process is killed while it pays; the next one, on the same store, must find out what became of the payment.
const SOURCE = fileURLToPath(new URL('support/wallet-child.ts', import.meta.url));
/** Below the packages that it imports; as one file it starts in a quarter of the time. */
const CHILD = fileURLToPath(new URL(`../node_modules/.cache/wallet-child-${process.pid}.mjs`, import.meta.url));
const keyText = MasterKey.generate();
const masterKey = MasterKey.parse(keyText) as MasterKey;

let chain: TestChain;
let proxy: RpcProxy;
let server: TestDatabase | undefined;
let folder: string;
let place: string;

const withStore = async <Result>(work: (db: Database) => Promise<Result>): Promise<Result> => {
  const db = server?.url ? openPostgres({ url: server.url, poolSize: 4 }) : await openEmbedded({ dataDir: place });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
};

beforeAll(async () => {
  const form = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const;
  await build({ ...form, entryPoints: [SOURCE], outfile: CHILD, logLevel: 'error' });
  chain = await startChain();
  proxy = await startRpcProxy(chain.url);
  folder = await mkdtemp(join(tmpdir(), 'castellan-wallet-'));
  if (process.env.TEST_DATABASE_URL !== undefined) server = await openTestDatabase();
  place = server?.url ?? folder;
  await withStore(async (db) => {
    await migrate(db);
    await ensureDefaultAccess(db, undefined, new Date());
  });
}, 60_000);
afterAll(async () => {
  await proxy.stop();
  await chain.stop();
  await server?.drop();
  await Promise.all([folder, CHILD].map((path) => rm(path, { recursive: true, force: true })));
});

const makeFunded = async (): Promise<UsableWallet> => {
  const wallet = await withStore((db) =>
    makeWallet(db, masterKey, { organizationId: DEFAULT_ORGANIZATION_ID, name: 'of a test', now: new Date() }),
  );
  await chain.test.setBalance({ address: wallet.address, value: parseEther('1') });
  return wallet;
};

/** Lets a process pay, and kills it when it asks for this. */
const payAndCrash = async (
  wallet: UsableWallet,
  payee: number,
  dies: (request: ProxiedRequest) => Promise<boolean>,
): Promise<void> => {
  let child: ChildProcess | undefined;
  proxy.decide = (request) => {
    void dies(request).then((dying) => dying && child?.kill('SIGKILL'));
    return isFatal(request) ? 'wait' : 'pass';
  };
  const args = [place, proxy.url, keyText, wallet.id, wallet.address, unusedAddress(payee), `payment ${payee}`];
  child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [, signal] = await once(child, 'exit');
  proxy.decide = () => 'pass';
  expect(signal).toBe('SIGKILL');
};
let isFatal: (request: ProxiedRequest) => boolean = () => false;

/** What the next process does: it looks for what is open, and the caller tries again with the same key. */
const goOn = (wallet: UsableWallet, payee: number) =>
  withStore(async (db) => {
    const networks = createNetworks({ rpc: {}, localChain: { url: async () => chain.url } });
    const faults: unknown[] = [];
    const parts: ChainDependencies = {
      db,
      networks,
      masterKey,
      // The follower leaves the youngest to whoever made them, and longer still what may have left.
      clock: () => Date.now() + 31_000,
      failed: (error) => faults.push(error),
    };
    const before = await db.run('select id from chain_transaction where wallet_id = $1::uuid', [wallet.id]);
    const follower = createTransactionTracker(parts);
    await follower.round();
    await follower.round();
    const found = await db.run<{ state: string; succeeded: boolean }>(
      'select state, succeeded from chain_transaction where wallet_id = $1::uuid',
      [wallet.id],
    );
    const sender = createSender(parts);
    const again = await payOnce(db, sender, wallet, unusedAddress(payee), `payment ${payee}`);
    const receipt = await sender.receipt(again.id, 20_000);
    sender.stop();
    networks.stop();
    expect(faults).toEqual([]);
    return { before: before.length, found, receipt };
  });

const expectPaidOnce = async (wallet: UsableWallet, payee: number): Promise<void> => {
  expect(await chain.public.getBalance({ address: unusedAddress(payee) })).toBe(1n);
  expect(await chain.public.getTransactionCount({ address: wallet.address })).toBe(1);
};

test('killed before the row: nothing was sent, and the repeated request sends', async () => {
  const wallet = await makeFunded();
  isFatal = ({ method }) => method === 'eth_estimateGas';
  await payAndCrash(wallet, 1, async (request) => isFatal(request));
  const { before, receipt } = await goOn(wallet, 1);
  expect(before).toBe(0);
  expect(receipt?.status).toBe('success');
  await expectPaidOnce(wallet, 1);
}, 60_000);

test('killed between row and broadcast: the tracker sends, and the repeated request sends nothing', async () => {
  const wallet = await makeFunded();
  isFatal = ({ method }) => method === 'eth_sendRawTransaction';
  await payAndCrash(wallet, 2, async (request) => isFatal(request));
  expect(await chain.public.getTransactionCount({ address: wallet.address })).toBe(0);
  const { before, found, receipt } = await goOn(wallet, 2);
  expect(before).toBe(1);
  expect(found).toEqual([{ state: 'mined', succeeded: true }]);
  expect(receipt?.status).toBe('success');
  await expectPaidOnce(wallet, 2);
}, 60_000);

test('killed between broadcast and response: the tracker finds the receipt, and the repeated request sends nothing', async () => {
  const wallet = await makeFunded();
  isFatal = ({ method }) => method === 'eth_sendRawTransaction';
  await payAndCrash(wallet, 3, async (request) => {
    if (!isFatal(request)) return false;
    // It arrived, and the process never hears of it.
    await chain.public.request({ method: 'eth_sendRawTransaction', params: request.params });
    return true;
  });
  await expectPaidOnce(wallet, 3);
  const { found, receipt } = await goOn(wallet, 3);
  expect(found).toEqual([{ state: 'mined', succeeded: true }]);
  expect(receipt?.status).toBe('success');
  await expectPaidOnce(wallet, 3);
}, 60_000);

test('killed between broadcast and receipt: the tracker finds the receipt, and the repeated request sends nothing', async () => {
  const wallet = await makeFunded();
  let isSent = false;
  isFatal = ({ method }) => {
    if (method === 'eth_sendRawTransaction') isSent = true;
    return isSent && method === 'eth_getTransactionReceipt';
  };
  await payAndCrash(wallet, 4, async ({ method }) => isSent && method === 'eth_getTransactionReceipt');
  await expectPaidOnce(wallet, 4);
  const { found, receipt } = await goOn(wallet, 4);
  expect(found).toEqual([{ state: 'mined', succeeded: true }]);
  expect(receipt?.status).toBe('success');
  await expectPaidOnce(wallet, 4);
}, 60_000);
