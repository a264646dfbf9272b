import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildProgram, castellan, type Service, TestWorkspace } from './support/castellan.js';

vi.setConfig({ testTimeout: 180_000 });

const work = new TestWorkspace();
const SUPERSEDED = 'superseded by something newer';
const INFO = '/v1/info?dbstats=true';
let sample: { readonly file: string; readonly items: number };

beforeAll(async () => {
  await buildProgram();
  sample = await work.writeSample('small.ndjson', { accounts: 12, casts: 60, reactions: 120, follows: 40 });
});
afterAll(() => work.clear());

/** @returns the number next to a word of a printed table. */
const counted = (out: string, word: string): number =>
  Number(new RegExp(`^ *${word} +([\\d,]+)$`, 'm').exec(out)?.[1]?.replaceAll(',', ''));

describe.each(['during a service', 'without a service'])('a command %s', (where) => {
  let environment: Record<string, string> = {};
  let service: Service | undefined;

  beforeAll(async () => {
    environment = await work.newStore();
    if (where !== 'during a service') return;
    service = await work.startDev(environment);
    environment = service.environment;
  });

  const run = (...args: string[]) => castellan(args, environment, work.folder);
  const path = (name: string): string => join(work.folder, `${where.replaceAll(' ', '-')}-${name}`);

  it('imports a file with a relative name twice and counts the outcomes', async () => {
    const first = await run('import', 'small.ndjson');
    expect(first.err).toMatch(/KB \(100%\)/);
    expect(first).toMatchObject({ code: 0 });
    expect(counted(first.out, 'merged') + counted(first.out, SUPERSEDED)).toBeGreaterThan(sample.items * 0.9);
    expect(counted(first.out, 'invalid')).toBe(0);
    const second = await run('import', sample.file);
    expect(counted(second.out, 'merged')).toBe(0);
    expect(counted(second.out, 'already known') + counted(second.out, SUPERSEDED)).toBe(sample.items);
  });

  it('continues after invalid lines and counts them by reason', async () => {
    const casts = readFileSync(sample.file, 'utf8').split('\n');
    const [line = '', ...rest] = casts.filter((one) => one.includes('MESSAGE_TYPE_CAST_ADD'));
    const forged = JSON.stringify({ ...JSON.parse(line), hash: Buffer.alloc(20).toString('base64') });
    writeFileSync(path('broken.ndjson'), ['{"half', forged, 'nothing', ...rest].join('\n'));
    const { code, out, err } = await run('import', path('broken.ndjson'));
    expect(code).toBe(0);
    expect(counted(out, 'invalid')).toBe(3);
    expect(counted(out, 'already known') + counted(out, SUPERSEDED)).toBe(rest.length);
    expect(err).toContain(`${path('broken.ndjson')}, line 1: `);
  });

  it('fails for a missing file before it reads any', async () => {
    const { code, err } = await run('import', sample.file, 'missing.ndjson');
    expect(code).toBe(1);
    expect(err).toContain(`${join(work.folder, 'missing.ndjson')} cannot be read`);
  });

  it('exports a file that restores the same store', async () => {
    const [plain, packed] = [path('one.ndjson'), path('two.pb.gz')];
    const first = await run('export', plain);
    expect(first.code).toBe(0);
    expect(await run('export', '--format', 'protobuf', packed)).toMatchObject({ code: 0, out: first.out });
    expect(gunzipSync(readFileSync(packed)).length).toBeGreaterThan(1000);
    // The copies are written without a service in both cases, and the files are equal.
    if (!service) return;
    for (const source of [plain, packed]) {
      const other = await work.newStore();
      const { out } = await castellan(['import', source], other);
      expect(counted(out, 'invalid')).toBe(0);
      expect(await castellan(['export', path('copy.ndjson')], other)).toMatchObject({ code: 0, out: first.out });
      expect(readFileSync(path('copy.ndjson'), 'utf8')).toBe(readFileSync(plain, 'utf8'));
    }
  });

  it('exports chosen accounts', async () => {
    expect((await run('export', '--fid', '1', '--fid', '2', path('some.ndjson'))).code).toBe(0);
    const lines = readFileSync(path('some.ndjson'), 'utf8').trimEnd().split('\n');
    const fids = lines.map((line) => {
      const item = JSON.parse(line) as Record<'data' | 'onChainEvent' | 'usernameProof', { fid: number } | undefined>;
      return (item.data ?? item.onChainEvent ?? item.usernameProof)?.fid;
    });
    expect(new Set(fids)).toEqual(new Set([1, 2]));
  });

  it('creates, lists, rotates and revokes keys', async () => {
    const made = await run('key', 'create', 'reader');
    const secret = made.out.trim();
    expect(secret).toMatch(/^cst_[\w-]{43}$/);
    const id = /Key ([0-9a-f-]{36}) \(reader\) may read\./.exec(made.err)?.[1] as string;
    const list = await run('key', 'list');
    expect(list.out).toContain(id);
    expect(list.out).not.toContain(secret);
    if (service) expect((await service.get(INFO, secret)).status).toBe(200);
    const successor = (await run('key', 'rotate', id, '--grace', '1h')).out.trim();
    expect(successor).toMatch(/^cst_/);
    expect((await run('key', 'revoke', id)).out).toContain('is revoked');
    if (service) {
      const { get } = service;
      await expect.poll(async () => (await get(INFO, secret)).status).toBe(401);
      expect((await get(INFO, successor)).status).toBe(200);
    }
    const unknown = await run('key', 'revoke', '11111111-1111-4111-8111-111111111111');
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('there is no key') });
    expect((await run('key', 'create', 'reader', '--scope', 'read, mute')).out).toContain('cst_');
    const flying = await run('key', 'create', 'x', '--scope', 'fly');
    expect(flying).toMatchObject({ code: 1, err: expect.stringContaining('fly is not a scope') });
  });

  it('prints one JSON value with --json, and remarks, progress and errors beside it', async () => {
    const made = await run('key', 'create', 'script', '--json');
    const { id, key } = JSON.parse(made.out);
    expect(key).toMatch(/^cst_[\w-]{43}$/);
    expect(made.err).toContain(`Key ${id} (script) may read.`);
    const listed = (JSON.parse((await run('key', 'list', '--json')).out) as { id: string }[]).find(
      (one) => one.id === id,
    );
    expect(listed).toMatchObject({ name: 'script', state: 'works', expires_at: null });
    expect(JSON.stringify(listed)).toMatch(/"created_at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/);
    const imported = await run('import', '--json', 'small.ndjson');
    expect(JSON.parse(imported.out)).toMatchObject({ outcomes: { merged: 0 }, invalid: {}, refused: 0 });
    expect(imported.err).toMatch(/KB \(100%\)/);
    const none = await run('wallet', 'list', '--json');
    expect([none.code, none.out, none.err]).toEqual([0, '[]\n', expect.stringContaining('There is no wallet yet')]);
    const unknown = await run('key', 'revoke', '11111111-1111-4111-8111-111111111111', '--json');
    expect([unknown.code, unknown.out, unknown.err]).toEqual([1, '', expect.stringContaining('there is no key')]);
  });

  it('audits, migrates and diagnoses', async () => {
    expect(await run('audit')).toMatchObject({ code: 0, out: expect.stringContaining('No difference') });
    expect(await run('migrate')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });
    const doctor = await run('doctor');
    expect(doctor.out).toMatch(/database +ok +(embedded )?PostgreSQL/);
    expect(doctor.out).toMatch(/schema +ok/);
    expect(doctor.out).toMatch(/signatures +ok +checked by libsodium/);
    expect(doctor.code).toBe(0);
  });

  it('can be interrupted without the process that it runs in', async () => {
    const text = readFileSync(sample.file, 'utf8');
    writeFileSync(path('big.ndjson'), Array.from({ length: 400 }, () => text).join(''));
    const imported = work.start(['import', path('big.ndjson')], environment);
    await once(imported.child.stderr as NodeJS.ReadableStream, 'data');
    imported.child.kill('SIGINT');
    const { code, err } = await imported.ended;
    expect(err).toContain('Interrupted');
    expect(code).toBe(130);
    if (service) expect((await service.get('/health/live')).status).toBe(200);
    expect((await run('key', 'list')).code).toBe(0);
  });
});
