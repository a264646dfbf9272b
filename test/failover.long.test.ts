import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadStoreConfig } from '../src/config/config.js';
import type { Database } from '../src/db/database.js';
import { openDatabase } from '../src/db/open-database.js';
import { buildProgram, type Castellan, castellan, freePort, startCastellan } from './support/castellan.js';
import { type Cluster, serverPrograms, startCluster, startStandby } from './support/cluster.js';
import { delay } from './support/delay.js';
import { FakeHub } from './support/fake-hub.js';
import { authors, expectSame, registration, until } from './support/hub-fixture.js';

/** Requests under way at once. */
const CALLERS = 8;
/** Milliseconds between the death of the primary and the decision of an operator to promote the standby. */
const DECISION_MS = 2_000;
/** Milliseconds after that death in which requests may fail. */
const ERRORS_WITHIN_MS = 10_000;

interface Answer {
  readonly at: number;
  readonly isWrite: boolean;
  readonly status: number;
}

describe.skipIf(serverPrograms === undefined)('failover (skipped where no server is installed)', () => {
  const people = authors(41, 42, 43);
  let primary: Cluster;
  let standby: Cluster;
  let hub: FakeHub;
  let dataDir: string;
  let environment: Record<string, string>;
  let service: Castellan;

  beforeAll(async () => {
    await buildProgram();
    hub = new FakeHub([1]);
    await hub.start();
    primary = await startCluster();
    standby = await startStandby(primary);
    const admin = new pg.Client({ connectionString: primary.url });
    await admin.connect();
    await admin.query("alter system set synchronous_standby_names = '*'");
    await admin.query('select pg_reload_conf()');
    await until(async () => {
      const { rows } = await admin.query("select 1 from pg_stat_replication where sync_state = 'sync'");
      return rows.length === 1;
    });
    await admin.end();
    dataDir = await mkdtemp(join(tmpdir(), 'castellan-failover-'));
    environment = {
      CASTELLAN_DATA_DIR: dataDir,
      CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
      CASTELLAN_API_KEY: randomBytes(24).toString('hex'),
      PORT: String(await freePort()),
      CASTELLAN_METRICS_PORT: 'off',
      PUBLIC_URL: 'http://127.0.0.1',
      CASTELLAN_HUB_URL: hub.address.address,
      CASTELLAN_HUB_NETWORK: 'devnet',
      CASTELLAN_VERIFY_THREADS: '1',
      CASTELLAN_LOG_LEVEL: 'error',
      // The standby comes first: it is no reason to wait, and no host for writes.
      DATABASE_URL: `postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres?target_session_attrs=read-write`,
      CASTELLAN_RATE_LIMIT_PER_MINUTE: '1000000',
    };
  });
  afterAll(async () => {
    service?.child.kill('SIGKILL');
    await service?.ended;
    hub?.stop();
    await standby?.remove();
    await primary?.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  const answers: Answer[] = [];
  const ask = async (method: string, path: string, body?: object): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${environment.PORT}${path}`, {
      method,
      headers: { 'x-api-key': environment.CASTELLAN_API_KEY as string, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    answers.push({ at: performance.now(), isWrite: body !== undefined, status: response.status });
    return response.status;
  };

  /** Accounts whose ban was acknowledged. */
  const banned: number[] = [];
  const call = async (n: number, isOver: () => boolean): Promise<void> => {
    for (let turn = 0; !isOver(); turn++) {
      const fid = 1_000 + turn * CALLERS + n;
      if ((await ask('POST', '/v2/social/ban/', { fids: [fid] })) === 200) banned.push(fid);
      await ask('GET', `/v2/social/user/bulk/?fids=41,42,43,${fid}`);
      await ask('GET', `/v1/castsByFid?fid=41&pageSize=${1 + (turn % 100)}`);
    }
  };
  const serves = async (): Promise<void> =>
    expect([
      await ask('GET', '/health/fresh'),
      await ask('POST', '/v2/social/ban/', { fids: [7] }),
      await ask('GET', '/v2/social/user/bulk/?fids=41'),
    ]).toEqual([200, 200, 200]);
  const runsOf = async (db: Database): Promise<number> =>
    Number((await db.run<{ at: string }>('select extract(epoch from max(began_at)) as at from job_run'))[0]?.at);

  test('a service finds the promoted standby, loses nothing, and goes on', async () => {
    for (const person of people) hub.say(...(await registration(person)));
    service = startCastellan(['serve'], environment);
    await until(serves, 60_000);
    answers.length = 0;
    let isOver = false;
    const callers = Array.from({ length: CALLERS }, (_, n) => call(n, () => isOver));
    const speaking = (async () => {
      for (let n = 0; !isOver; n++) {
        hub.say(...people.map((person) => person.cast({ text: `cast ${n}` })));
        await delay(40);
      }
    })();
    await until(() => banned.length > 200);
    primary.kill();
    const died = performance.now();
    await delay(DECISION_MS);
    await standby.promote();
    const promoted = performance.now();
    const acknowledged = banned.length;
    await until(() => banned.length > acknowledged + 500);
    isOver = true;
    await Promise.all([...callers, speaking]);
    const failed = answers.filter(({ status }) => status !== 200);
    const seconds = (at: number) => ((at - died) / 1000).toFixed(1);
    const served = (isWrite: boolean): string => {
      const times = answers.filter((answer) => answer.isWrite === isWrite && answer.status === 200).map(({ at }) => at);
      const after = times.filter((at) => at > promoted);
      const before = times.filter((at) => at <= promoted);
      return `last before the promotion ${seconds(Math.max(...before))} s, first after it ${seconds(Math.min(...after))} s`;
    };
    console.info(
      [
        `promoted ${seconds(promoted)} s after the death of the primary`,
        `reads: ${served(false)}`,
        `writes: ${served(true)}`,
        `failed: ${failed.length} of ${answers.length} requests (${failed.map(({ at, status }) => `${status} at ${seconds(at)} s`)})`,
      ].join('\n'),
    );
    expect(service.child.exitCode).toBeNull();
    expect(failed.filter(({ status }) => status !== 503 && status !== 504)).toEqual([]);
    expect(failed.filter(({ at }) => at > died + ERRORS_WITHIN_MS)).toEqual([]);
    const db = await openDatabase(loadStoreConfig(environment));
    try {
      await expectSame(db, hub);
      const rows = await db.run<{ fid: number }>('select fid from ban');
      const stored = new Set(rows.map(({ fid }) => fid));
      expect(banned.filter((fid) => !stored.has(fid))).toEqual([]);
      const runs = await runsOf(db);
      await until(async () => (await runsOf(db)) > runs);
    } finally {
      await db.close();
    }
    await until(serves);
    service.child.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
    const doctor = await castellan(['doctor'], environment);
    expect(doctor.out).toContain(`at 127.0.0.1:${standby.port}`);
    const audit = await castellan(['audit'], environment);
    expect(audit).toMatchObject({ code: 0 });
    expect(await castellan(['migrate'], environment)).toMatchObject({ code: 0 });
    const choices = ['--domain', 'castellan.example', '--hub', 'none', '--proxy', 'none', '--run', 'none'];
    const folder = join(dataDir, 'installation');
    const init = ['init', '--folder', folder, '--database', environment.DATABASE_URL as string, ...choices];
    expect(await castellan(init, {})).toMatchObject({ code: 0, err: '' });
  });
});
