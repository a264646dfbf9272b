import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VARIABLE_GROUPS } from '../src/config/variable.js';
import { buildProgram, type Castellan, freePort, TestWorkspace } from './support/castellan.js';
import { readComposeFile } from './support/compose-file.js';
import { FakeHub } from './support/fake-hub.js';
import { authors, registration, until } from './support/hub-fixture.js';

const DOTENV = {
  POSTGRES_PASSWORD: 'secretword',
  CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
  PUBLIC_URL: 'https://castellan.example',
  CASTELLAN_ROLE: 'api',
  CASTELLAN_WORKERS: '1',
};
const { services, configs } = readComposeFile(DOTENV);
/** The processes of the profile `roles`, with the one that always runs. */
const names = Object.keys(services).filter((name) => services[name]?.build !== undefined);

test('what is mounted exists, and variables of the service have their names', () => {
  const variables = Object.values(VARIABLE_GROUPS).flatMap((group) => Object.keys(group));
  for (const { file } of Object.values(configs)) if (file !== undefined) expect.soft(existsSync(file), file).toBe(true);
  for (const name of names)
    expect.soft(variables, name).toEqual(expect.arrayContaining(Object.keys(services[name]?.environment ?? {})));
});

const has = (program: string): boolean => spawnSync(program, ['version'], { stdio: 'ignore' }).error === undefined;

describe.skipIf(process.env.TEST_DATABASE_URL === undefined || !has('caddy'))(
  'processes of the profile roles behind Caddy (skipped without TEST_DATABASE_URL or Caddy)',
  () => {
    const work = new TestWorkspace();
    const hub = new FakeHub([1]);
    const [alice] = authors(41);
    const key = randomBytes(24).toString('hex');
    const running = new Map<string, Castellan>();
    let start: (name: string) => Promise<void>;
    let proxy: string;
    let metricsUrl: (name: string) => string;
    let stopProxy: () => Promise<unknown>;

    beforeAll(async () => {
      await buildProgram();
      await hub.start();
      hub.say(...(await registration(alice)));
      const store = await work.migratedStore();
      const [port, metricsPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
      // A container has an address of its own and the usual ports; here, each process has one of this machine's.
      const addressOf = (name: string): string => `127.0.0.${11 + names.indexOf(name)}`;
      metricsUrl = (name) => `http://${addressOf(name)}:${metricsPort}/metrics`;
      start = async (name) => {
        const program = work.start(['serve'], {
          ...DOTENV,
          ...(services[name]?.environment as Record<string, string>),
          ...store,
          CASTELLAN_DATA_DIR: join(work.folder, name),
          HOST: addressOf(name),
          PORT: String(port),
          CASTELLAN_METRICS_HOST: addressOf(name),
          CASTELLAN_METRICS_PORT: String(metricsPort),
          CASTELLAN_HUB_URL: hub.address.address,
          CASTELLAN_API_KEY: key,
          CASTELLAN_RATE_LIMIT_PER_MINUTE: '0',
          CASTELLAN_CRAWL: '0',
          CASTELLAN_DATABASE_POOL_SIZE: '2',
          CASTELLAN_VERIFY_THREADS: '1',
        });
        running.set(name, program);
        await program.shows('"msg":"ready"');
      };
      await Promise.all(names.map(start));
      const file = join(work.folder, 'Caddyfile');
      // As it stands, but for the domain, for which Caddy would get a certificate, and the addresses.
      const site = String(configs.caddy?.content)
        .replace(`${DOTENV.PUBLIC_URL} {`, `http://127.0.0.1:${proxyPort} {`)
        .replace(/\b(castellan|api):3000/g, (_, name: string) => `${addressOf(name)}:${port}`)
        .replace('health_port 9464', `health_port ${metricsPort}`);
      writeFileSync(file, `{\n\tadmin off\n}\n${site}`);
      const environment = {
        ...process.env,
        HOME: work.folder,
        XDG_DATA_HOME: work.folder,
        XDG_CONFIG_HOME: work.folder,
      };
      const caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
        stdio: 'ignore',
        env: environment,
      });
      const ended = once(caddy, 'exit');
      stopProxy = () => {
        caddy.kill();
        return ended;
      };
      proxy = `http://127.0.0.1:${proxyPort}`;
      await until(async () => (await fetch(`${proxy}/health/ready`).catch(() => undefined))?.ok === true, 30_000);
    }, 120_000);
    afterAll(async () => {
      await stopProxy?.();
      await work.clear();
      hub.stop();
    });

    const get = (path: string) => fetch(`${proxy}${path}`, { headers: { 'x-api-key': key } });
    const metricsOf = async (name: string): Promise<string> => (await fetch(metricsUrl(name))).text();
    /** @returns how many requests of an operation a process has answered */
    const answeredBy = async (name: string): Promise<number> => {
      const counts = (await metricsOf(name)).matchAll(
        /^castellan_request_duration_seconds_count\{operation="fetch-bulk-users".*\} (\d+)$/gm,
      );
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    };

    test('one follows the hub, one runs the jobs, and both that answer get requests', async () => {
      expect(names.sort()).toEqual(['api', 'castellan', 'ingest', 'job']);
      await until(async () => (await get('/v2/social/user/bulk/?fids=41')).status === 200);
      hub.say(alice.cast({ text: 'through four processes' }));
      await until(async () =>
        (await (await get('/v2/social/feed/user/casts/?fid=41')).text()).includes('four processes'),
      );
      for (const name of names) {
        const follows = /^castellan_ingest_messages_total/m.test(await metricsOf(name));
        expect.soft(follows, `${name} stores`).toBe(name === 'ingest');
        const runsJobs = () => metricsOf(name).then((text) => /^castellan_job_duration_seconds_count/m.test(text));
        if (name === 'job') await until(runsJobs);
        else expect.soft(await runsJobs(), `${name} runs jobs`).toBe(false);
      }
      const readers = Array.from({ length: 8 }, () =>
        get('/v2/social/user/bulk/?fids=41').then(({ status }) => status),
      );
      expect(await Promise.all(readers)).toEqual(Array(8).fill(200));
      await expect.poll(() => answeredBy('api')).toBeGreaterThan(0);
      await expect.poll(() => answeredBy('castellan')).toBeGreaterThan(0);
    });

    test('no read fails when a process that answers is killed, and its successor gets requests', async () => {
      const statuses: number[] = [];
      let isOver = false;
      const read = async (): Promise<void> => {
        while (!isOver) statuses.push((await get('/v2/social/user/bulk/?fids=41')).status);
      };
      const reading = Promise.all(Array.from({ length: 4 }, read));
      const { child, ended } = running.get('api') as Castellan;
      await until(() => statuses.length > 100);
      child.kill('SIGKILL');
      await ended;
      const seen = statuses.length;
      await until(() => statuses.length > seen + 200);
      await start('api');
      await until(async () => (await answeredBy('api')) > 20);
      isOver = true;
      await reading;
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
    }, 60_000);
  },
);
