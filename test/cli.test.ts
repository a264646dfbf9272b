import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileItem } from '../src/ingest/file-format.js';
import { openFileWriter } from '../src/ingest/file-write.js';
import { generateSampleNetwork } from '../src/sample/network.js';
import { buildProgram, type Castellan, castellan, freePort, startCastellan } from './support/castellan.js';

const work = mkdtempSync(join(tmpdir(), 'castellan-cli-'));
const file = join(work, 'small.ndjson');
const SMALL = { accounts: 12, casts: 60, reactions: 120, follows: 40 };
/** For commands in a folder that no development service has made: the sample is the devnet's. */
const ALONE = { HUB_NETWORK: 'devnet', VERIFY_THREADS: '1' };
const INFO = '/v1/info?dbstats=true';
let folders = 0;
let items = 0;
const running = new Set<Castellan>();

const freshFolder = (): string => join(work, `data-${folders++}`);

beforeAll(async () => {
  await buildProgram();
  const writer = openFileWriter(file, 'json');
  for await (const batch of generateSampleNetwork(SMALL).items()) {
    for (const item of batch) await writer.write(item as FileItem);
    items += batch.length;
  }
  await writer.close();
});

afterAll(async () => {
  for (const one of running) one.child.kill('SIGKILL');
  await Promise.all([...running].map((one) => one.ended));
  rmSync(work, { recursive: true });
});

interface Service extends Castellan {
  readonly environment: Record<string, string>;
  readonly url: string;
  readonly key: string;
  get(path: string, key?: string): Promise<Response>;
}

async function startDev(dataDir: string, args: readonly string[] = ['--no-sample']): Promise<Service> {
  const port = await freePort();
  const environment = { CASTELLAN_DATA_DIR: dataDir, PORT: String(port), METRICS_PORT: 'off', VERIFY_THREADS: '1' };
  const started = startCastellan(['dev', ...args], environment);
  running.add(started);
  void started.ended.then(() => running.delete(started));
  await started.shows('curl');
  const key = readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
  const url = `http://127.0.0.1:${port}`;
  const get = (path: string, other = key) => fetch(`${url}${path}`, { headers: { 'x-api-key': other } });
  return { ...started, environment, url, key, get };
}

async function stop(service: Castellan, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  service.child.kill(signal);
  await service.ended;
}

const SUPERSEDED = 'superseded by something newer';

/** @returns the number beside a word of a printed table. */
const counted = (out: string, word: string): number =>
  Number(new RegExp(`^ *${word} +([\\d,]+)$`, 'm').exec(out)?.[1]?.replaceAll(',', ''));

describe('the program', () => {
  it('explains itself at once, without starting anything', async () => {
    const began = performance.now();
    const { code, out } = await castellan(['--help'], {});
    expect(code).toBe(0);
    for (const command of ['dev', 'serve', 'import', 'export', 'backfill', 'key', 'audit', 'doctor', 'migrate']) {
      expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
    }
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it.each([
    [['bogus'], /unknown command/],
    [['import'], /missing required argument/],
    [['key', 'create', 'x', '--expires', 'tomorrow'], /--expires takes a date/],
    [['key', 'rotate', 'x', '--grace', 'long'], /--grace takes a time/],
    [['export', '--format', 'xml', 'x'], /ndjson or protobuf/],
    [['backfill', '--fids', 'me'], /account numbers/],
    [['dev', '--port', 'http'], /PORT: "http"/],
    [['dev', '--fids', '1,me'], /FIDS: "me"/],
  ])('answers %j with status 2', async (args, message) => {
    const { code, err } = await castellan(args, { CASTELLAN_DATA_DIR: freshFolder() });
    expect(err).toMatch(message);
    expect(err).not.toMatch(/^ +at /m);
    expect(code).toBe(2);
  });

  it('refuses production without what production needs, all of it at once', async () => {
    const { code, err } = await castellan(['serve'], { PORT: 'x', CASTELLAN_DATA_DIR: freshFolder() });
    expect(code).toBe(2);
    for (const variable of ['PORT', 'PUBLIC_URL', 'CASTELLAN_MASTER_KEY']) expect(err).toContain(`  ${variable}: `);
  });

  it('runs production with what it needs, generates nothing, and stops in good order', async () => {
    const dataDir = freshFolder();
    const port = await freePort();
    const service = startCastellan(['serve'], {
      CASTELLAN_DATA_DIR: dataDir,
      CASTELLAN_MASTER_KEY: '8f1c93b5d07e2a4461b8c5f3e9d2a70713fb6ac95e8047d1b2c6f09a3e5d7481',
      PUBLIC_URL: 'https://castellan.example/social/',
      PORT: String(port),
      METRICS_PORT: 'off',
    });
    running.add(service);
    await service.shows('"ready"');
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    for (const name of ['api-key', 'master-key']) expect(existsSync(join(dataDir, name))).toBe(false);
    service.child.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });
});

describe('castellan dev', () => {
  it('says which port is taken and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const environment = { CASTELLAN_DATA_DIR: freshFolder(), PORT: String(port), METRICS_PORT: 'off' };
    const { code, err } = await castellan(['dev', '--no-sample'], environment);
    other.close();
    expect(code).toBe(1);
    expect(err).toContain(`Port ${port} cannot be used`);
    expect(err).toContain('Set PORT');
    expect(err).not.toMatch(/^ +at /m);
  });

  it('is alone in its folder, and comes back at once after kill -9', async () => {
    const dataDir = freshFolder();
    const first = await startDev(dataDir);
    const second = await castellan(['dev'], { ...first.environment, PORT: String(await freePort()) });
    expect(second.code).toBe(1);
    expect(second.err).toContain(`process ${first.child.pid}`);
    expect(second.err).toContain('CASTELLAN_DATA_DIR');
    await castellan(['import', file], first.environment);
    await stop(first, 'SIGKILL');
    // Without HUB_NETWORK a command knows the folder of a development service, and takes the devnet's messages.
    const alone = await castellan(['import', file], { CASTELLAN_DATA_DIR: dataDir });
    expect(counted(alone.out, 'invalid')).toBe(0);
    const again = await startDev(dataDir);
    expect(again.key).toBe(first.key);
    const { fids } = (await (await again.get('/v1/fids?shard_id=1&pageSize=100')).json()) as { fids: number[] };
    expect(fids).toHaveLength(SMALL.accounts);
    again.child.kill('SIGINT');
    expect((await again.ended).code).toBe(0);
    for (const name of ['api-key', 'master-key']) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
  });

  it('loads the sample network once and prints requests that work when pasted', async () => {
    const dataDir = freshFolder();
    const port = await freePort();
    const environment = { CASTELLAN_DATA_DIR: dataDir, PORT: String(port), METRICS_PORT: 'off' };
    const first = startCastellan(['dev'], environment);
    running.add(first);
    await first.shows('/v2/social/cast/');
    const lines = first.out().match(/curl .*/g) ?? [];
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -f`]);
      expect(JSON.parse(stdout)).toEqual(expect.any(Object));
      expect(stdout.length).toBeGreaterThan(300);
    }
    const audit = await castellan(['audit'], environment);
    expect(audit.out).toContain('No difference');
    await stop(first);
    const second = startCastellan(['dev'], environment);
    running.add(second);
    await second.shows('/v2/social/cast/');
    expect(second.err()).not.toContain('messages');
    await stop(second);
  }, 240_000);

  it('ends at once at the second signal, and takes the echo of the first for the same', async () => {
    const service = await startDev(freshFolder());
    service.child.kill('SIGINT');
    service.child.kill('SIGINT');
    expect((await service.ended).code).toBe(0);
  });
});

describe.each(['beside the service', 'on its own'])('a command %s', (where) => {
  const dataDir = freshFolder();
  let environment: Record<string, string> = { ...ALONE, CASTELLAN_DATA_DIR: dataDir };
  let service: Service | undefined;

  beforeAll(async () => {
    if (where !== 'beside the service') return;
    service = await startDev(dataDir);
    environment = service.environment;
  });
  afterAll(async () => {
    if (service) await stop(service);
  });

  const run = (...args: string[]) => castellan(args, environment, work);

  it('imports a file named relative to the caller, twice, and counts what became of it', async () => {
    const first = await run('import', 'small.ndjson');
    expect(first.err).toMatch(/KB \(100%\)/);
    expect(first).toMatchObject({ code: 0 });
    const merged = counted(first.out, 'merged');
    expect(merged + counted(first.out, SUPERSEDED)).toBeGreaterThan(items * 0.9);
    expect(counted(first.out, 'invalid')).toBe(0);
    const second = await run('import', file);
    expect(counted(second.out, 'merged')).toBe(0);
    expect(counted(second.out, 'already known') + counted(second.out, SUPERSEDED)).toBe(items);
  });

  it('goes on behind lines that are broken, and counts them by reason', async () => {
    const [line = '', ...rest] = readFileSync(file, 'utf8')
      .split('\n')
      .filter((one) => one.includes('MESSAGE_TYPE_CAST_ADD'));
    const forged = line.replace(/"hash":"0x../, '"hash":"0x00');
    const broken = join(work, `broken-${where.length}.ndjson`);
    writeFileSync(broken, ['{"half', forged, 'nothing', ...rest].join('\n'));
    const { code, out, err } = await run('import', broken);
    expect(code).toBe(0);
    expect(counted(out, 'invalid')).toBe(3);
    expect(counted(out, 'already known') + counted(out, SUPERSEDED)).toBe(rest.length);
    expect(err).toContain(`${broken}, line 1: `);
  });

  it('fails for a file that is not there, before anything is read', async () => {
    const { code, err } = await run('import', file, 'missing.ndjson');
    expect(code).toBe(1);
    expect(err).toContain(`${join(work, 'missing.ndjson')} cannot be read`);
  });

  it('exports a file that gives the same store again', async () => {
    const [plain, packed] = [join(work, `one-${where.length}.ndjson`), join(work, `two-${where.length}.pb.gz`)];
    const first = await run('export', plain);
    expect(first.code).toBe(0);
    expect(await run('export', '--format', 'protobuf', packed)).toMatchObject({ code: 0, out: first.out });
    expect(gunzipSync(readFileSync(packed)).length).toBeGreaterThan(1000);
    for (const source of [plain, packed]) {
      const other = { ...ALONE, CASTELLAN_DATA_DIR: freshFolder() };
      const { out } = await castellan(['import', source], other);
      expect(counted(out, 'invalid')).toBe(0);
      const copy = join(work, 'copy.ndjson');
      expect(await castellan(['export', copy], other)).toMatchObject({ code: 0, out: first.out });
      expect(readFileSync(copy, 'utf8')).toBe(readFileSync(plain, 'utf8'));
    }
  });

  it('exports chosen accounts', async () => {
    const some = join(work, `some-${where.length}.ndjson`);
    expect((await run('export', '--fid', '1', '--fid', '2', some)).code).toBe(0);
    const fids = readFileSync(some, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const item = JSON.parse(line) as {
          data?: { fid: number };
          onChainEvent?: { fid: number };
          usernameProof?: { fid: number };
        };
        return (item.data ?? item.onChainEvent ?? item.usernameProof)?.fid;
      });
    expect(new Set(fids)).toEqual(new Set([1, 2]));
  });

  it('makes, lists, rotates and revokes keys', async () => {
    const made = await run('key', 'create', 'reader');
    const secret = made.out.trim();
    expect(secret).toMatch(/^cst_[\w-]{43}$/);
    const id = /Key ([0-9a-f-]{36}) \(reader\) may read\./.exec(made.err)?.[1] as string;
    const list = await run('key', 'list');
    expect(list.out).toContain(id);
    expect(list.out).not.toContain(secret);
    if (service) expect((await service.get(INFO, secret)).status).toBe(200);
    const rotated = await run('key', 'rotate', id, '--grace', '1h');
    expect(rotated.out.trim()).toMatch(/^cst_/);
    expect((await run('key', 'revoke', id)).out).toContain('is revoked');
    if (service) {
      const { get } = service;
      await expect.poll(async () => (await get(INFO, secret)).status, { timeout: 3_000 }).toBe(401);
      expect((await get(INFO, rotated.out.trim())).status).toBe(200);
    }
    expect(await run('key', 'revoke', '11111111-1111-4111-8111-111111111111')).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no key'),
    });
    expect(await run('key', 'create', 'x', '--scope', 'fly')).toMatchObject({
      code: 1,
      err: expect.stringContaining('fly is not a scope'),
    });
  });

  it('audits, migrates and examines', async () => {
    expect(await run('audit')).toMatchObject({ code: 0, out: expect.stringContaining('No difference') });
    expect(await run('migrate')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });
    const doctor = await run('doctor');
    expect(doctor.out).toMatch(/database +ok +embedded PostgreSQL/);
    expect(doctor.out).toMatch(/schema +ok/);
    expect(doctor.out).toMatch(/signatures +ok +checked by libsodium/);
    expect(doctor.code).toBe(0);
  });

  it('can be interrupted, and what it runs in goes on', async () => {
    const big = join(work, `big-${where.length}.ndjson`);
    const text = readFileSync(file, 'utf8');
    writeFileSync(big, Array.from({ length: 400 }, () => text).join(''));
    const imported = startCastellan(['import', big], environment, work);
    await once(imported.child.stderr as NodeJS.ReadableStream, 'data');
    imported.child.kill('SIGINT');
    const { code, err } = await imported.ended;
    expect(err).toContain('Interrupted');
    expect(code).toBe(130);
    if (service) expect((await service.get('/health/live')).status).toBe(200);
    expect((await run('key', 'list')).code).toBe(0);
  });
});

describe('several commands at once', () => {
  it('share one folder: whoever comes first runs what the others ask', async () => {
    const environment = { ...ALONE, CASTELLAN_DATA_DIR: freshFolder() };
    const names = ['a', 'b', 'c', 'd'];
    const made = await Promise.all(names.map((name) => castellan(['key', 'create', name], environment)));
    for (const one of made) expect(one).toMatchObject({ code: 0, out: expect.stringMatching(/^cst_/) });
    const { out } = await castellan(['key', 'list'], environment);
    for (const name of names) expect(out).toMatch(new RegExp(`  ${name} `));
  });
});

const serverUrl = process.env.TEST_DATABASE_URL;

describe.runIf(serverUrl !== undefined)('on a PostgreSQL server', () => {
  it('works directly, beside a service or not, and says what is wrong with the address', async () => {
    const pg = await import('pg');
    const name = `castellan_cli_${process.pid}`;
    const admin = new pg.default.Client({ connectionString: serverUrl });
    await admin.connect();
    await admin.query(`create database ${name}`);
    try {
      const url = Object.assign(new URL(serverUrl as string), { pathname: `/${name}` }).href;
      const environment = { ...ALONE, DATABASE_URL: url, CASTELLAN_DATA_DIR: freshFolder() };
      expect(await castellan(['migrate'], environment)).toMatchObject({
        code: 0,
        out: expect.stringContaining('applied 0001'),
      });
      expect(counted((await castellan(['import', file], environment)).out, 'invalid')).toBe(0);
      expect(await castellan(['audit'], environment)).toMatchObject({ code: 0 });
      const gone = await castellan(['audit'], {
        ...environment,
        DATABASE_URL: 'postgres://me:secretword@127.0.0.1:1/x',
      });
      expect(gone).toMatchObject({ code: 1, err: expect.stringContaining('DATABASE_URL') });
      expect(gone.err).not.toContain('secretword');
    } finally {
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    }
  });
});
