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
import type { ChainParts } from '../src/onchain/chain-parts.js';
import { createFollower } from '../src/onchain/follower.js';
import { createNetworks } from '../src/onchain/networks.js';
import { createSender } from '../src/onchain/transaction/sender.js';
import { makeWallet, type UsableWallet } from '../src/onchain/transaction/wallet.js';
import type { Database } from '../src/store/database.js';
import { openEmbedded } from '../src/db/embedded.js';
import { migrate } from '../src/store/migrate.js';
import { openPostgres } from '../src/db/postgres.js';
import { startChain, type TestChain } from './support/chain.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { type Passed, type RpcProxy, startRpcProxy } from './support/rpc-proxy.js';
import { freshAddress, payOnce } from './support/wallet.js';

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
const payAndDie = async (
  wallet: UsableWallet,
  payee: number,
  dies: (request: Passed) => Promise<boolean>,
): Promise<void> => {
  let child: ChildProcess | undefined;
  proxy.judge = (request) => {
    void dies(request).then((dying) => dying && child?.kill('SIGKILL'));
    return isFatal(request) ? 'wait' : 'pass';
  };
  const args = [place, proxy.url, keyText, wallet.id, wallet.address, freshAddress(payee), `payment ${payee}`];
  child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [, signal] = await once(child, 'exit');
  proxy.judge = () => 'pass';
  expect(signal).toBe('SIGKILL');
};
let isFatal: (request: Passed) => boolean = () => false;

/** What the next process does: it looks for what is open, and the caller tries again with the same key. */
const goOn = (wallet: UsableWallet, payee: number) =>
  withStore(async (db) => {
    const networks = createNetworks({ rpc: {}, localChain: { url: async () => chain.url } });
    const faults: unknown[] = [];
    const parts: ChainParts = {
      db,
      networks,
      masterKey,
      // The follower leaves the youngest to whoever made them, and longer still what may have left.
      clock: () => Date.now() + 31_000,
      failed: (error) => faults.push(error),
    };
    const before = await db.run('select id from chain_transaction where wallet_id = $1::uuid', [wallet.id]);
    const follower = createFollower(parts);
    await follower.round();
    await follower.round();
    const found = await db.run<{ state: string; succeeded: boolean }>(
      'select state, succeeded from chain_transaction where wallet_id = $1::uuid',
      [wallet.id],
    );
    const sender = createSender(parts);
    const again = await payOnce(db, sender, wallet, freshAddress(payee), `payment ${payee}`);
    const receipt = await sender.receipt(again.id, 20_000);
    sender.stop();
    networks.stop();
    expect(faults).toEqual([]);
    return { before: before.length, found, receipt };
  });

const expectPaidOnce = async (wallet: UsableWallet, payee: number): Promise<void> => {
  expect(await chain.public.getBalance({ address: freshAddress(payee) })).toBe(1n);
  expect(await chain.public.getTransactionCount({ address: wallet.address })).toBe(1);
};

test('killed before the row: nothing was sent, and the retry sends', async () => {
  const wallet = await makeFunded();
  isFatal = ({ method }) => method === 'eth_estimateGas';
  await payAndDie(wallet, 1, async (request) => isFatal(request));
  const { before, receipt } = await goOn(wallet, 1);
  expect(before).toBe(0);
  expect(receipt?.status).toBe('success');
  await expectPaidOnce(wallet, 1);
}, 60_000);

test('killed between the row and the send: the follower sends, and the retry sends nothing', async () => {
  const wallet = await makeFunded();
  isFatal = ({ method }) => method === 'eth_sendRawTransaction';
  await payAndDie(wallet, 2, async (request) => isFatal(request));
  expect(await chain.public.getTransactionCount({ address: wallet.address })).toBe(0);
  const { before, found, receipt } = await goOn(wallet, 2);
  expect(before).toBe(1);
  expect(found).toEqual([{ state: 'mined', succeeded: true }]);
  expect(receipt?.status).toBe('success');
  await expectPaidOnce(wallet, 2);
}, 60_000);

test('killed between the send and the answer: the follower finds the receipt, and the retry sends nothing', async () => {
  const wallet = await makeFunded();
  isFatal = ({ method }) => method === 'eth_sendRawTransaction';
  await payAndDie(wallet, 3, async (request) => {
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

test('killed between the send and the receipt: the follower finds the receipt, and the retry sends nothing', async () => {
  const wallet = await makeFunded();
  let isSent = false;
  isFatal = ({ method }) => {
    if (method === 'eth_sendRawTransaction') isSent = true;
    return isSent && method === 'eth_getTransactionReceipt';
  };
  await payAndDie(wallet, 4, async ({ method }) => isSent && method === 'eth_getTransactionReceipt');
  await expectPaidOnce(wallet, 4);
  const { found, receipt } = await goOn(wallet, 4);
  expect(found).toEqual([{ state: 'mined', succeeded: true }]);
  expect(receipt?.status).toBe('success');
  await expectPaidOnce(wallet, 4);
}, 60_000);
