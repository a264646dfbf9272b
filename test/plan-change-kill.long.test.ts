import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Charge } from '../src/billing/plan/provider.js';
import { RECOVERY_AGE_MS } from '../src/billing/plan/provider.js';
import type { Database } from '../src/db/database.js';
import { openEmbedded } from '../src/db/embedded/embedded.js';
import { migrate } from '../src/db/migrate.js';
import { openPostgres } from '../src/db/postgres.js';
import { auditBilling } from './support/audit-billing.js';
import { BillingFixture, FakeBank } from './support/billing-fixture.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';

// A process is killed while it upgrades; the next one, on the same store, must find out what became of the charge.
const SOURCE = fileURLToPath(new URL('support/billing-child.ts', import.meta.url));
/** Below the packages that it imports. */
const CHILD = fileURLToPath(new URL(`../node_modules/.cache/money-child-${process.pid}.mjs`, import.meta.url));

let server: TestDatabase | undefined;
let folder: string;
let place: string;
const bank = new FakeBank();

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
  folder = await mkdtemp(join(tmpdir(), 'castellan-money-'));
  if (process.env.TEST_DATABASE_URL !== undefined) server = await openTestDatabase();
  place = server?.url ?? folder;
  await withStore(migrate);
}, 120_000);
afterAll(async () => {
  await server?.drop();
  await Promise.all([folder, CHILD].map((path) => rm(path, { recursive: true, force: true })));
});

interface Told {
  readonly charge?: Charge;
  readonly stopped?: string;
}

/** Lets a process upgrade, and kills it where it stops, or at its call to the bank. */
const upgradeAndCrash = async (
  id: string,
  stop: string,
  atProvider: 'dies before' | 'dies after' | 'lives',
): Promise<NodeJS.Signals | null> => {
  const child = spawn(process.execPath, [CHILD, place, id, stop], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  child.on('message', async ({ charge, stopped }: Told) => {
    if (stopped !== undefined) child.kill('SIGKILL');
    if (charge === undefined) return;
    if (atProvider === 'dies before') return child.kill('SIGKILL');
    const charged = await bank.charge({ ...charge, createdAt: new Date(charge.createdAt) });
    return atProvider === 'dies after' ? child.kill('SIGKILL') : child.send(charged);
  });
  const [, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  return signal;
};

const PLACES: readonly [string, string, 'dies before' | 'dies after' | 'lives', 'nothing' | 'applied'][] = [
  ['before it called the bank', 'after 1', 'lives', 'nothing'],
  ['when it called the bank', '', 'dies before', 'nothing'],
  ['when the bank had charged', '', 'dies after', 'applied'],
  ['before it wrote that down', 'inside 2', 'lives', 'applied'],
  ['when it had', 'after 2', 'lives', 'applied'],
  ['while it applied the change', 'inside 3', 'lives', 'applied'],
  ['when it had', 'after 3', 'lives', 'applied'],
];

for (const [name, stop, atProvider, outcome] of PLACES) {
  test(`killed ${name} (${stop || atProvider}): ${outcome}`, async () => {
    const id = await withStore((db) => {
      const world = new BillingFixture(db);
      world.now = new Date();
      return world.organization();
    });
    expect(await upgradeAndCrash(id, stop, atProvider)).toBe('SIGKILL');
    await withStore(async (db) => {
      const world = new BillingFixture(db, { provider: bank });
      world.now = new Date(Date.now() + RECOVERY_AGE_MS + 1000);
      expect(await world.changeStates(id)).toHaveLength(1);
      expect(await world.recover()).toEqual([]);
      const isApplied = outcome === 'applied';
      const cents = isApplied ? 4900 : 0;
      expect(await world.changeStates(id)).toEqual([isApplied ? 'applied' : 'failed']);
      expect(bank.taken(id)).toBe(cents);
      expect(await world.subscription(id)).toMatchObject({ planId: isApplied ? 'growth' : null, paidCents: cents });
      expect(await world.ledger(id)).toMatchObject({ cash: cents, receivable: 0 });
      expect(await auditBilling(db)).toEqual([]);
    });
  }, 120_000);
}
