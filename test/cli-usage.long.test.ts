import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildProgram, castellan, freePort, TestWorkspace } from './support/castellan.js';

vi.setConfig({ testTimeout: 120_000 });

const work = new TestWorkspace();
beforeAll(buildProgram);
afterAll(() => work.clear());

describe('the program', () => {
  it('prints help at once, without starting anything', async () => {
    const began = performance.now();
    const { code, out } = await castellan(['--help'], {});
    expect(code).toBe(0);
    for (const command of ['dev', 'serve', 'import', 'export', 'backfill', 'key', 'audit', 'doctor', 'migrate']) {
      expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
    }
    expect(performance.now() - began).toBeLessThan(15_000);
    const { out: help } = await castellan(['key', 'create', '--help'], {});
    expect(help.trimEnd()).toMatch(/^Examples:\n( {2}# .+\n {2}\S.*\n?\n?){2}$/m);
  });

  it.each([
    [['bogus'], /unknown command/],
    [['import'], /Name a file to import/],
    [['key', 'create', 'x', '--expires', 'tomorrow'], /--expires takes a date/],
    [['key', 'rotate', 'x', '--grace', 'long'], /--grace takes a time/],
    [['export', '--format', 'xml', 'x'], /ndjson, protobuf or parquet/],
    [['export', '--format', 'parquet', '--since', 'May', 'x'], /--since takes a day/],
    [['webhook', 'test', 'x'], /no id of a webhook/],
    [
      ['webhook', 'replay', '00000000-0000-4000-8000-000000000001', '--from', 'then'],
      /--from takes the id of an event/,
    ],
    [['webhook', 'match', '00000000-0000-4000-8000-000000000001', 'x'], /no hash of a cast/],
    [['backfill', '--fids', 'me'], /account numbers/],
    [['dev', '--port', 'http'], /PORT: "http"/],
    [['dev', '--fids', '1,me'], /CASTELLAN_FIDS: "me"/],
  ])('answers %j with status 2', async (args, message) => {
    const { code, err } = await castellan(args, { CASTELLAN_DATA_DIR: join(work.folder, 'unused') });
    expect(err).toMatch(message);
    expect(err).not.toMatch(/^ +at /m);
    expect(code).toBe(2);
  });

  it('rejects production with missing settings and reports all of them', async () => {
    const { code, err } = await castellan(['serve'], { PORT: 'x', CASTELLAN_DATA_DIR: join(work.folder, 'unused') });
    expect(code).toBe(2);
    for (const variable of ['PORT', 'PUBLIC_URL', 'CASTELLAN_MASTER_KEY']) expect(err).toContain(`  ${variable}: `);
  });

  it('reports an unavailable database and the variable to check, without its password', async () => {
    const environment = { DATABASE_URL: 'postgres://me:secretword@127.0.0.1:1/x' };
    const { code, err } = await castellan(['audit'], environment);
    expect(code).toBe(1);
    expect(err).toContain('DATABASE_URL');
    expect(err).not.toContain('secretword');
  });

  it('runs production with all settings, generates nothing, and stops gracefully', async () => {
    const store = await work.newStore();
    const port = String(await freePort());
    const service = work.start(['serve'], {
      ...store,
      CASTELLAN_MASTER_KEY: '8f1c93b5d07e2a4461b8c5f3e9d2a70713fb6ac95e8047d1b2c6f09a3e5d7481',
      PUBLIC_URL: 'https://castellan.example/social/',
      PORT: port,
      CASTELLAN_METRICS_PORT: 'off',
    });
    await service.shows('"ready"');
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    for (const name of ['api-key', 'master-key']) {
      expect(existsSync(join(store.CASTELLAN_DATA_DIR as string, name))).toBe(false);
    }
    service.child.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });

  it('prints an uncaught error without its line of code', async () => {
    // Node shows the line that threw; in a minified dependency that is the whole file.
    const file = join(work.folder, 'minified.mjs');
    const fail = "setTimeout(()=>{throw new Error('something broke')})";
    const whenStarted = `process.on('newListener',(name)=>{if(name==='SIGTERM')${fail}})`;
    writeFileSync(file, `${whenStarted};/*${'x'.repeat(100_000)}*/`);
    const store = await work.newStore();
    const { code, err } = await castellan(['migrate'], { ...store, NODE_OPTIONS: `--import ${file}` });
    expect(err).toContain('something broke');
    expect(err.length).toBeLessThan(5_000);
    expect(code).toBe(1);
  });

  it('reports the network of a file that differs from that of the store', async () => {
    const { file } = await work.writeSample('devnet.ndjson', { accounts: 2, casts: 2, reactions: 1, follows: 1 });
    const { out, err } = await castellan(['import', file], {
      ...(await work.newStore()),
      CASTELLAN_HUB_NETWORK: 'mainnet',
    });
    expect(out).toMatch(/^ +bad_network +\d+$/m);
    expect(err).toContain('this store, which takes mainnet: CASTELLAN_HUB_NETWORK names it');
  });
});
