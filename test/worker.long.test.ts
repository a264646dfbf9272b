import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPostgres } from '../src/db/postgres.js';
import { buildProgram, type Castellan, castellan, TestWorkspace } from './support/castellan.js';
import { FakeHub } from './support/fake-hub.js';
import { authors, registration, storedHashes, until } from './support/hub-fixture.js';
import { expectStored, killAndAwait, type LoadClient, startLoad, startWorkers } from './support/workers.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

/** How many workers are killed; `CASTELLAN_TEST_KILLS` sets more for a run by hand. */
const KILLS = Number(process.env.CASTELLAN_TEST_KILLS ?? 8);

describe.runIf(process.env.TEST_DATABASE_URL)('several processes on one database', () => {
  const workspace = new TestWorkspace();
  let hub: FakeHub;
  beforeAll(buildProgram);
  beforeEach(async () => {
    hub = new FakeHub([1]);
    await hub.start();
  });
  afterEach(() => hub.stop());
  afterAll(() => workspace.clear());

  test('one process follows the hub; when it is killed, another one does within five seconds', async () => {
    const store = await workspace.migratedStore();
    const db = openPostgres({ url: store.DATABASE_URL as string, poolSize: 2 });
    const environment = {
      ...store,
      PUBLIC_URL: 'http://127.0.0.1',
      CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
      CASTELLAN_METRICS_PORT: 'off',
      CASTELLAN_HUB_URL: hub.address.address,
    };
    const [person] = authors(31);
    hub.say(...(await registration(person)));
    const start = async (): Promise<Castellan> => {
      const started = workspace.start(['serve', '--role', 'ingest'], environment);
      await started.shows('"ready"');
      return started;
    };
    let leader = await start();
    await until(() => expect(hub.listeners).toBe(1));
    for (let kill = 0; kill < 3; kill++) {
      const next = await start();
      // It stands by.
      expect(hub.listeners).toBe(1);
      const killed = performance.now();
      leader.child.kill('SIGKILL');
      await leader.ended;
      const cast = person.cast({ text: `after kill ${kill}` });
      hub.say(cast);
      const hash = Buffer.from(cast.hash).toString('hex');
      await until(async () => (await storedHashes(db)).some((stored) => stored.includes(hash)));
      expect(performance.now() - killed).toBeLessThan(5_000);
      leader = next;
    }
    // A graceful end hands over at once.
    const next = await start();
    leader.child.kill('SIGTERM');
    expect((await leader.ended).code).toBe(0);
    await until(() => expect(hub.listeners).toBe(1), 3_000);
    next.child.kill('SIGTERM');
    await next.ended;
    expect(await castellan(['audit'], environment)).toMatchObject({ code: 0 });
    await db.close();
  });

  test(`${KILLS} processes of a service are killed under load, and its connections broken; no count is wrong`, async () => {
    const service = await startWorkers(workspace);
    const clients: LoadClient[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const load = await startLoad(service);
      const [victim] = service.pids(kill % 3 === 2 ? 'job' : 'api') as [number];
      await killAndAwait(service, victim);
      const failures = load.takeFailures();
      expect(Math.max(...failures.map((list) => list.length))).toBeLessThanOrEqual(1);
      expect(failures.some((list) => list.length === 0)).toBe(true);
      const others = 'datname = current_database() and pid <> pg_backend_pid()';
      await service.db.run(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`).catch(() => 0);
      await wait(500);
      await load.stop();
      clients.push(...load.clients);
      await until(async () => expect((await service.cast(`after ${kill}`)).status).toBe(200));
    }
    await expectStored(service, clients);
    service.process.child.kill('SIGTERM');
    expect((await service.process.ended).code).toBe(0);
    expect(await castellan(['audit'], service.environment)).toMatchObject({ code: 0 });
    await service.close();
  });
});
