import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildProgram, type Castellan, freePort, TestWorkspace } from './support/castellan.js';
import { type Cluster, serverPrograms, startCluster } from './support/cluster.js';
import { readSnippets } from './support/doc-snippet.js';
import { FakeHub } from './support/fake-hub.js';
import { authors, registration } from './support/hub-fixture.js';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const SNIPPETS = readSnippets('docs/guide-operate.md');
const HEADINGS = ['Set up', 'Make tables and a key', 'Is it well?', 'Back up', 'Restore', 'Upgrade'];

const work = new TestWorkspace();
const hub = new FakeHub([1]);
const folder = join(work.folder, 'installation');
let cluster: Cluster;
let port: number;
beforeAll(async () => {
  await buildProgram();
  if (serverPrograms === undefined) return;
  cluster = await startCluster('rightword');
  port = await freePort();
  for (const account of authors(1, 2, 3)) hub.say(...(await registration(account)), account.cast({ text: 'Hello' }));
  await hub.start();
  mkdirSync(join(folder, 'bin'), { recursive: true });
  symlinkSync(MAIN, join(folder, 'bin', 'castellan'));
});
afterAll(async () => {
  await work.clear();
  hub.stop();
  await cluster?.remove();
});

const databaseUrl = (name: string): string => {
  const url = new URL(cluster.url);
  return `postgres://postgres:rightword@127.0.0.1:${url.port}/${name}`;
};
const environment = () => ({
  PATH: `${join(folder, 'bin')}:${serverPrograms}:${process.env.PATH ?? ''}`,
  HOME: work.folder,
  PORT: String(port),
  CASTELLAN_HUB_NETWORK: 'devnet',
  CASTELLAN_METRICS_PORT: 'off',
  CASTELLAN_LOG_LEVEL: 'error',
  RESTORED_URL: databaseUrl('restored'),
});

/** Runs the commands below a heading as they stand, but for addresses. @returns what each printed */
const run = async (heading: string): Promise<string[]> => {
  const printed: string[] = [];
  for (const { place, code } of SNIPPETS.filter((one) => one.heading === heading)) {
    const text = code
      .replaceAll('postgres://castellan:PASSWORD@127.0.0.1:5432/castellan', databaseUrl('castellan'))
      .replaceAll('grpcs://hub.example:2283', `grpc://${hub.address.address}`)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`);
    // A terminal has the variables that the operator has read from the file.
    const script = `set -ea\n[ ! -f .env ] || . ./.env\n${text}`;
    const options = { cwd: folder, env: environment() };
    const { stdout } = await promisify(execFile)('sh', ['-c', script], options).catch((error: unknown) => {
      const { stdout: out = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${place} failed:\n${text}\n${out}${stderr}`, { cause: error });
    });
    printed.push(stdout);
  }
  expect(printed.length, heading).toBeGreaterThan(0);
  return printed;
};

const start = async (more: Record<string, string> = {}): Promise<Castellan> => {
  const service = work.start(['serve'], { ...environment(), CASTELLAN_EMBEDDED: '', ...more }, folder);
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/health/live`).then(
          ({ ok }) => ok,
          () => service.child.exitCode,
        ),
      {
        timeout: 60_000,
      },
    )
    .toBe(true);
  return service;
};
const stop = async ({ child }: Castellan): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
};

test.skipIf(serverPrograms === undefined)('every command of the guide works, in its order', async () => {
  expect([...new Set(SNIPPETS.map(({ heading }) => heading))]).toEqual(HEADINGS);
  const psql = (text: string) =>
    promisify(execFile)(join(serverPrograms as string, 'psql'), [databaseUrl('postgres'), '-qc', text]);
  await psql('create database castellan');

  const [setUp] = await run('Set up');
  expect(setUp).toContain('answers, version');
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  expect(['Caddyfile', 'castellan.service'].every((name) => existsSync(join(folder, name)))).toBe(true);
  const [made] = await run('Make tables and a key');
  expect(made).toContain('applied 0001_protocol.sql');
  expect(readFileSync(join(folder, 'key'), 'utf8')).toMatch(/^cst_\S+\n$/);

  const service = await start();
  const ready = async () => JSON.parse((await run('Is it well?'))[0] as string).checks.ingest;
  await expect.poll(ready, { timeout: 60_000, interval: 1_000 }).toEqual({ ok: true });
  const [, doctor, users] = await run('Is it well?');
  expect(doctor).toMatch(/^hub +ok /m);
  expect(doctor).not.toContain('WRONG');
  expect(doctor).not.toMatch(/^shard 0 /m);
  expect(JSON.parse(users as string).users).toMatchObject([{ fid: 1 }]);

  await run('Back up');
  await stop(service);
  // What happens between the dump and the restore comes back from the hub.
  for (const account of authors(1)) hub.say(account.cast({ text: 'After the dump' }));
  await psql('create database restored');
  const [, checked] = await run('Restore');
  expect(checked).not.toContain('WRONG');
  const restored = await start({ DATABASE_URL: databaseUrl('restored') });
  const key = readFileSync(join(folder, 'key'), 'utf8').trim();
  const texts = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v2/social/feed/user/casts/?fid=1`, {
      headers: { 'x-api-key': key },
    });
    const { casts = [] } = (await response.json()) as { casts?: { text: string }[] };
    return casts.map(({ text }) => text).sort();
  };
  await expect.poll(texts, { timeout: 60_000, interval: 500 }).toEqual(['After the dump', 'Hello']);
  await stop(restored);

  await run('Upgrade');
});
