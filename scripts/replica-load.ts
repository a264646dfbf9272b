/**
 * Measures reads from a primary alone, and from a primary with two replicas, on a machine with at least two cores: all
 * servers of PostgreSQL share one core, the service and the client the others. Nothing is cached, so that each request
 * is read from a database. Build first:
 *
 *   tsx scripts/replica-load.ts [seconds]
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import type { FileItem } from '../src/ingest/file/format.js';
import { openFileWriter } from '../src/ingest/file/write.js';
import { generateSampleNetwork } from '../src/sample/network.js';
import { castellan, freePort, startCastellan } from '../test/support/castellan.js';
import { type Cluster, startCluster, startStandby } from '../test/support/cluster.js';
import { temporaryFolder } from '../test/support/temporary-folder.js';

const SECONDS = Number(process.argv[2] ?? 15);
const CALLERS = 16;
const ACCOUNTS = 1_000;
const DATABASE_CORE = '0';
/** Milliseconds after which servers have written down what they counted. */
const COUNTED_MS = 1_500;
const OTHER_CORES = '1-255';

process.env.TMPDIR ??= temporaryFolder(tmpdir());
// What is started from now on inherits it.
const pin = (cores: string): Buffer =>
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, `${process.pid}`]);

/** @returns seconds of processor time of a server and all its processes, also those that have ended */
const processorSeconds = async ({ port }: Cluster): Promise<number> => {
  const ticks = async (
    pid: string,
  ): Promise<{ parent: string; own: number; all: number; line: string } | undefined> => {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const sum = (from: number, to: number): number =>
      fields.slice(from, to).reduce((total, one) => total + Number(one), 0);
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return { parent: fields[1] as string, own: sum(11, 13), all: sum(11, 15), line };
  };
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map(async (pid) => ({ pid, ...(await ticks(pid)) })));
  const server = found.find(({ line }) => line?.includes(`-p\0${port}\0`));
  const children = found.filter(({ parent }) => parent === server?.pid);
  return children.reduce((total, { own = 0 }) => total + own, server?.all ?? 0) / 100;
};

const statements = async ({ url }: Cluster): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query("select xact_commit as n from pg_stat_database where datname = 'postgres'");
  await client.end();
  return Number(rows[0].n);
};

pin(DATABASE_CORE);
const primary = await startCluster();
const replicas = [await startStandby(primary), await startStandby(primary)];
const servers = [primary, ...replicas];
pin(OTHER_CORES);
const folder = await mkdtemp(join(tmpdir(), 'castellan-load-'));
const key = randomBytes(24).toString('hex');

const measure = async (name: string, more: Record<string, string>): Promise<void> => {
  const port = await freePort();
  const service = startCastellan(['serve'], {
    ...environment,
    ...more,
    PORT: String(port),
    CASTELLAN_METRICS_PORT: 'off',
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    while ((await request(`${url}/health/ready`).catch(() => undefined))?.statusCode !== 200) await wait(50);
    let answered = 0;
    let end = Number.POSITIVE_INFINITY;
    const fid = (): number => 1 + Math.floor(Math.random() * ACCOUNTS);
    const paths = [
      () => `/v2/social/feed/following/?fid=${fid()}&limit=25&viewer_fid=${fid()}`,
      () => `/v2/social/user/bulk/?fids=${Array.from({ length: 25 }, fid)}&viewer_fid=${fid()}`,
      () => `/v2/social/notifications/?fid=${fid()}&limit=15`,
      () => `/v2/social/feed/user/casts/?fid=${fid()}&limit=25`,
      () => `/v1/castsByFid?fid=${fid()}&pageSize=50`,
    ];
    const call = async (at: number): Promise<void> => {
      for (let turn = at; performance.now() < end; turn++) {
        const path = (paths[turn % paths.length] as () => string)();
        const { statusCode, body } = await request(`${url}${path}`, { headers: { 'x-api-key': key } });
        const text = await body.text();
        if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`);
        answered++;
      }
    };
    const run = async (seconds: number): Promise<void> => {
      end = performance.now() + seconds * 1000;
      await Promise.all(Array.from({ length: CALLERS }, (_, at) => call(at)));
    };
    await run(5);
    answered = 0;
    const sum = async () => ({
      sent: await Promise.all(servers.map(statements)),
      busy: await Promise.all(servers.map(processorSeconds)),
    });
    await wait(COUNTED_MS);
    const before = await sum();
    await run(SECONDS);
    await wait(COUNTED_MS);
    const after = await sum();
    const sent = after.sent.map((n, at) => n - (before.sent[at] as number));
    const busy = after.busy.map((n, at) => n - (before.busy[at] as number));
    const all = sent.reduce((total, n) => total + n, 0);
    console.info(
      `${name}: ${Math.round(answered / SECONDS)} requests/s, ${Math.round(all / SECONDS)} statements/s; ` +
        `${(100 * (1 - (sent[0] as number) / all)).toFixed(1)}% of the statements left the primary (${sent.join(', ')}); ` +
        `processor of the servers: ${busy.map((seconds) => `${Math.round((100 * seconds) / SECONDS)}%`).join(', ')}`,
    );
  } finally {
    service.child.kill('SIGTERM');
    await service.ended;
  }
};

const environment: Record<string, string> = {
  CASTELLAN_DATA_DIR: folder,
  CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
  CASTELLAN_API_KEY: key,
  PUBLIC_URL: 'http://127.0.0.1',
  CASTELLAN_HUB_NETWORK: 'devnet',
  CASTELLAN_WORKERS: '1',
  CASTELLAN_CACHE_MB: '0',
  CASTELLAN_LOG_LEVEL: 'error',
  CASTELLAN_RATE_LIMIT_PER_MINUTE: '0',
  CASTELLAN_QUOTA_MODE: 'off',
  DATABASE_URL: primary.url,
};
try {
  const file = join(folder, 'sample.jsonl');
  const writer = openFileWriter(file, 'json');
  const size = { accounts: ACCOUNTS, casts: 20_000, reactions: 40_000, follows: 20_000 };
  for await (const batch of generateSampleNetwork(size).items())
    for (const item of batch) await writer.write(item as FileItem);
  await writer.close();
  const imported = await castellan(['import', file], environment);
  if (imported.code !== 0) throw new Error(imported.err);
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
  const both = { CASTELLAN_READ_URL: replicas.map(({ url }) => url).join(' ') };
  for (let round = 1; round <= 3; round++) {
    await measure('primary alone', {});
    await measure('primary and two replicas', both);
  }
} finally {
  for (const one of servers) await one.remove();
  await rm(folder, { recursive: true, force: true });
}
