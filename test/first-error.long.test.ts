import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MasterKey } from '../src/config/secret.js';
import { buildProgram, castellan, freePort, TestWorkspace } from './support/castellan.js';
import { type Cluster, serverPrograms, startCluster } from './support/cluster.js';

// What a newcomer does wrong: each gives one sentence with what to do, and no stack.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const work = new TestWorkspace();
beforeAll(buildProgram);
afterAll(() => work.clear());

const MASTER_KEY = MasterKey.generate();
const serve = async (environment: Record<string, string>) => {
  const port = String(await freePort());
  const { code, out, err } = await castellan(['serve'], {
    PUBLIC_URL: 'https://social.example',
    CASTELLAN_MASTER_KEY: MASTER_KEY,
    CASTELLAN_LOG_LEVEL: 'error',
    CASTELLAN_METRICS_PORT: 'off',
    PORT: port,
    ...environment,
  });
  expect(err).not.toMatch(/^\s+at /m);
  expect(out).toBe('');
  return { code, lines: err.trim().split('\n') };
};
const folder = (name: string) => ({ CASTELLAN_DATA_DIR: join(work.folder, name) });

test('a mistyped variable', async () => {
  const { code, lines } = await serve({ ...folder('typo'), CASTELLAN_LOG_LEVLE: 'debug' });
  expect(code).toBe(2);
  expect(lines[1]).toBe('  CASTELLAN_LOG_LEVLE: is no variable of Castellan. Did you mean CASTELLAN_LOG_LEVEL?');
});

test('a port that another program has', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const { code, lines } = await serve({ ...folder('port'), PORT: String(port) });
  other.close();
  const words = `Port ${port} cannot be used: another program listens on it. Set PORT to another one.`;
  expect({ code, lines }).toEqual({ code: 1, lines: [words] });
});

test('a Node.js that is too old', async () => {
  const old = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.8'})";
  const { code, err } = await castellan(['serve'], { NODE_OPTIONS: `--import=${old}` });
  expect(code).toBe(1);
  expect(err).toMatch(/^Castellan needs Node\.js 20\.19 or newer, and this is .*https:\/\/nodejs\.org\.\n$/);
});

test('no database', async () => {
  const nothing = await castellan(['serve'], { PUBLIC_URL: 'https://x.example', CASTELLAN_EMBEDDED: '' });
  expect(nothing.err).toContain('  DATABASE_URL: is required');
  const away = await serve({ DATABASE_URL: 'postgres://castellan:secretword@127.0.0.1:1/castellan' });
  const words =
    'The database cannot be reached (connect ECONNREFUSED 127.0.0.1:1): check DATABASE_URL and that it runs.';
  expect(away).toEqual({ code: 1, lines: [words] });
});

describe.skipIf(serverPrograms === undefined)('a PostgreSQL server that asks for a password', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster('rightword');
  });
  afterAll(() => cluster.remove());
  const at = (access: string, database = 'postgres') => {
    const url = new URL(cluster.url);
    return { DATABASE_URL: `postgres://${access}@127.0.0.1:${url.port}/${database}` };
  };

  test('a wrong password', async () => {
    const { code, lines } = await serve(at('postgres:wrongword'));
    const words =
      'The database refuses the connection (password authentication failed for user "postgres"): correct the password in DATABASE_URL.';
    expect({ code, lines }).toEqual({ code: 1, lines: [words] });
  });

  test('a database that nobody made', async () => {
    const { lines } = await serve(at('postgres:rightword', 'nothing'));
    const words =
      'The database refuses the connection (database "nothing" does not exist): make it with `createdb`, or correct its name at the end of DATABASE_URL.';
    expect(lines).toEqual([words]);
  });

  test('another master key than that of the database, and a program older than the database', async () => {
    const database = at('postgres:rightword');
    expect(await castellan(['migrate'], database)).toMatchObject({ code: 0 });
    const wallet = ['wallet', 'create', 'payer'];
    expect(await castellan(wallet, { ...database, CASTELLAN_MASTER_KEY: MASTER_KEY })).toMatchObject({ code: 0 });
    const other = await serve({ ...database, CASTELLAN_MASTER_KEY: MasterKey.generate() });
    expect(other.code).toBe(2);
    expect(other.lines.join(' ')).toMatch(/CASTELLAN_MASTER_KEY.*CASTELLAN_MASTER_KEY_PREVIOUS/);

    execFileSync(
      join(serverPrograms as string, 'psql'),
      [database.DATABASE_URL, '-qc', "insert into migration (name) values ('9999_later.sql')"],
      { stdio: 'pipe' },
    );
    const older = await castellan(['key', 'list'], database);
    expect(older.code).toBe(1);
    expect(older.err).toMatch(/^The database was upgraded by a newer version of Castellan.*Start the newer version/);
  });
});

test('a data folder that is a file, or in which nothing can be written', async () => {
  writeFileSync(join(work.folder, 'file'), '');
  const file = await serve(folder('file'));
  expect(file).toEqual({
    code: 1,
    lines: [
      `The data folder ${join(work.folder, 'file')} cannot be used: it is a file. Change that, or set CASTELLAN_DATA_DIR to another folder.`,
    ],
  });
  // The kernel's own file systems refuse root, too.
  const closed = await serve({ CASTELLAN_DATA_DIR: '/sys/castellan' });
  expect(closed.code).toBe(1);
  expect(closed.lines[0]).toMatch(/^The data folder \/sys\/castellan cannot be used: this user may not write there/);
});

/** Only root may make a file system, small enough to be full. */
const small = join(work.folder, 'small');
const isMounted = (() => {
  if (process.getuid?.() !== 0) return false;
  mkdirSync(small);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', small], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
afterAll(() => void (isMounted && execFileSync('umount', [small])));

test.runIf(isMounted)('a full disk', async () => {
  const { code, lines } = await serve({ CASTELLAN_DATA_DIR: join(small, 'data') });
  expect(code).toBe(1);
  expect(lines).toEqual([
    expect.stringMatching(
      /^The data folder .* cannot be used: its disk has less than 64 MB free\. Change that, or set /,
    ),
  ]);
});

test('a second service on a folder', async () => {
  const store = await work.migratedStore();
  if ('DATABASE_URL' in store) return;
  const first = await work.startDev(store);
  const second = await serve({ ...store, CASTELLAN_MASTER_KEY: MASTER_KEY });
  expect(second.code).toBe(1);
  expect(second.lines[0]).toMatch(
    /^The data folder .* is in use by process \d+: stop it first, or set CASTELLAN_DATA_DIR to another folder\.$/,
  );
  first.child.kill('SIGTERM');
  await first.ended;
});

test('an old client', async () => {
  const store = await work.migratedStore();
  const service = await work.startDev(store);
  // Paths of the vendor's first version, which left the interface.
  const gone = await service.get('/v1/farcaster/user?fid=1');
  expect(gone.status).toBe(410);
  expect(await gone.text()).toMatch(/\/v2\//);
});
