import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildProgram, castellan, freePort, Workplace } from './support/castellan.js';

vi.setConfig({ testTimeout: 120_000 });

const work = new Workplace();
beforeAll(buildProgram);
afterAll(() => work.clear());

describe('the program', () => {
  it('explains itself at once, without starting anything', async () => {
    const began = performance.now();
    const { code, out } = await castellan(['--help'], {});
    expect(code).toBe(0);
    for (const command of ['dev', 'serve', 'import', 'export', 'backfill', 'key', 'audit', 'doctor', 'migrate']) {
      expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
    }
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  it.each([
    [['bogus'], /unknown command/],
    [['import'], /Name a file to import/],
    [['key', 'create', 'x', '--expires', 'tomorrow'], /--expires takes a date/],
    [['key', 'rotate', 'x', '--grace', 'long'], /--grace takes a time/],
    [['export', '--format', 'xml', 'x'], /ndjson or protobuf/],
    [['backfill', '--fids', 'me'], /account numbers/],
    [['dev', '--port', 'http'], /PORT: "http"/],
    [['dev', '--fids', '1,me'], /FIDS: "me"/],
  ])('answers %j with status 2', async (args, message) => {
    const { code, err } = await castellan(args, { CASTELLAN_DATA_DIR: join(work.folder, 'unused') });
    expect(err).toMatch(message);
    expect(err).not.toMatch(/^ +at /m);
    expect(code).toBe(2);
  });

  it('refuses production without what production needs, all of it at once', async () => {
    const { code, err } = await castellan(['serve'], { PORT: 'x', CASTELLAN_DATA_DIR: join(work.folder, 'unused') });
    expect(code).toBe(2);
    for (const variable of ['PORT', 'PUBLIC_URL', 'CASTELLAN_MASTER_KEY']) expect(err).toContain(`  ${variable}: `);
  });

  it('says that the database is away and which variable to look at, without its password', async () => {
    const environment = { DATABASE_URL: 'postgres://me:secretword@127.0.0.1:1/x' };
    const { code, err } = await castellan(['audit'], environment);
    expect(code).toBe(1);
    expect(err).toContain('DATABASE_URL');
    expect(err).not.toContain('secretword');
  });

  it('runs production with what it needs, generates nothing, and stops in good order', async () => {
    const store = await work.freshStore();
    const port = String(await freePort());
    const service = work.start(['serve'], {
      ...store,
      CASTELLAN_MASTER_KEY: '8f1c93b5d07e2a4461b8c5f3e9d2a70713fb6ac95e8047d1b2c6f09a3e5d7481',
      PUBLIC_URL: 'https://castellan.example/social/',
      PORT: port,
      METRICS_PORT: 'off',
    });
    await service.shows('"ready"');
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    for (const name of ['api-key', 'master-key']) {
      expect(existsSync(join(store.CASTELLAN_DATA_DIR as string, name))).toBe(false);
    }
    service.child.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });

  it('tells an error that nothing handled without the code that it came from', async () => {
    // Node shows the line that threw; in a minified dependency that is the whole file.
    const file = join(work.folder, 'minified.mjs');
    const fail = "setTimeout(()=>{throw new Error('something broke')})";
    const whenStarted = `process.on('newListener',(name)=>{if(name==='SIGTERM')${fail}})`;
    writeFileSync(file, `${whenStarted};/*${'x'.repeat(100_000)}*/`);
    const store = await work.freshStore();
    const { code, err } = await castellan(['migrate'], { ...store, NODE_OPTIONS: `--import ${file}` });
    expect(err).toContain('something broke');
    expect(err.length).toBeLessThan(5_000);
    expect(code).toBe(1);
  });

  it('says which network a file is for when the store is of another', async () => {
    const { file } = await work.writeSample('devnet.ndjson', { accounts: 2, casts: 2, reactions: 1, follows: 1 });
    const { out, err } = await castellan(['import', file], { ...(await work.freshStore()), HUB_NETWORK: 'mainnet' });
    expect(out).toMatch(/^ +bad_network +\d+$/m);
    expect(err).toContain('this store, which takes mainnet: HUB_NETWORK names it');
  });
});
