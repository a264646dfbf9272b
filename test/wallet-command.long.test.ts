import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadStoreConfig } from '../src/config/config.js';
import { MasterKey } from '../src/config/secret.js';
import { openDatabase } from '../src/db/open-database.js';
import { buildProgram, castellan, type Run, type Service, startCastellan, TestWorkspace } from './support/castellan.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const work = new TestWorkspace();
const KEY = '2b'.repeat(31).padEnd(64, '7');
const ADDRESS = privateKeyToAddress(`0x${KEY}`);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UNKNOWN = '00000000-0000-4000-8000-00000000abcd';

beforeAll(buildProgram);
afterAll(() => work.clear());

describe('wallet commands', () => {
  let store: Record<string, string>;
  let service: Service;
  const masterKey = MasterKey.generate();
  const shown: string[] = [];

  const environment = () => ({ ...store, CASTELLAN_MASTER_KEY: masterKey });
  const kept = async (running: Promise<Run>): Promise<Run> => {
    const run = await running;
    shown.push(run.out, run.err);
    return run;
  };
  const run = (...args: string[]) => kept(castellan(args, environment(), work.folder));
  const runWith = (input: string, ...args: string[]) => {
    const started = startCastellan(args, environment(), work.folder);
    started.child.stdin?.end(input);
    return kept(started.ended);
  };

  beforeAll(async () => {
    store = await work.migratedStore();
    service = await work.startDev({ ...environment(), CASTELLAN_LOG_LEVEL: 'trace' });
  });
  afterAll(async () => {
    service.child.kill('SIGTERM');
    await service.ended;
  });

  it('create a wallet, import one and list both, and never show a key', async () => {
    const made = await run('wallet', 'create', 'shop');
    expect(made.code).toBe(0);
    const id = made.out.trim();
    expect(id).toMatch(UUID);
    const imported = await runWith(`0x${KEY.toUpperCase()}\n`, 'wallet', 'import', 'old shop');
    expect([imported.code, imported.err]).toEqual([0, expect.stringContaining(ADDRESS)]);
    const list = await run('wallet', 'list');
    expect(list.out).toMatch(new RegExp(`^${id} +shop +0x[0-9a-fA-F]{40} `, 'm'));
    expect(list.out).toMatch(new RegExp(`^${imported.out.trim()} +old shop +${ADDRESS} `, 'm'));
    const none = await run('wallet', 'list', '--organization', UNKNOWN);
    expect([none.code, none.out]).toEqual([0, '']);
    const text = [...shown, service.out(), service.err()].join('\n').toLowerCase();
    expect(text).toContain(ADDRESS.toLowerCase());
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(Buffer.from(KEY, 'hex').toString('base64').toLowerCase());
  });

  it('read the key from a file, and import no account twice', async () => {
    const file = join(work.folder, 'key.txt');
    writeFileSync(file, `${KEY}\n`, { mode: 0o600 });
    const again = await run('wallet', 'import', 'twice', '--key-file', 'key.txt');
    expect([again.code, again.out]).toEqual([1, '']);
    expect(again.err).toContain(`${ADDRESS} is wallet`);
    expect(again.err).not.toContain(KEY);
  });

  it('reject an invalid key without repeating it', async () => {
    for (const [input, why] of [
      [`${KEY}7`, 'is no private key'],
      ['', 'is no private key'],
      ['0'.repeat(64), 'not the 32 bytes of a private key'],
      ['f'.repeat(64), 'not the 32 bytes of a private key'],
    ] as const) {
      const refused = await runWith(input, 'wallet', 'import', 'wrong');
      expect([refused.code === 0, refused.err]).toEqual([false, expect.stringContaining(why)]);
      if (input !== '') expect(refused.err).not.toContain(input.slice(0, 60));
    }
    const absent = await run('wallet', 'import', 'wrong', '--key-file', 'absent.txt');
    expect([absent.code, absent.err]).toEqual([2, expect.stringContaining('absent.txt')]);
    const unknown = await run('wallet', 'create', 'lost', '--organization', UNKNOWN);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining(`no organization ${UNKNOWN}`)]);
    expect((await run('wallet', 'create', 'lost', '--organization', 'x')).code).toBe(2);
    expect((await run('wallet', 'create', ' ')).code).toBe(2);
  });

  it('list transactions that have been pending too long', async () => {
    expect((await run('doctor')).out).toMatch(/^transactions +ok +none is on its way/m);
    // One process at a time opens an embedded database.
    service.child.kill('SIGTERM');
    await service.ended;
    const db = await openDatabase(loadStoreConfig(environment()));
    await db.run(
      `insert into chain_transaction
         (id, wallet_id, network, chain_id, nonce, purpose, data, value, gas, state, failure_code, failure, created_at)
       select $1::uuid, id, 'base', 1, 7, 'mint', '', 0, 21000, 'open', 'InsufficientFunds', 'insufficient funds',
              now() - interval '1 hour'
         from wallet where name = 'shop'`,
      [UNKNOWN],
    );
    await db.close();
    const { out } = await run('doctor');
    expect(out).toMatch(/^transactions +look +mint .*on base \(nonce 7\) waits since .*insufficient funds/m);
    expect(out).toContain(`transactions: ${UNKNOWN}: send the wallet more coin of that network.`);
  });
});
