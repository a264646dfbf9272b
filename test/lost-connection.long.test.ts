import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../src/db/postgres.js';
import { buildProgram, type Service, TestWorkspace } from './support/castellan.js';
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.js';

/** Milliseconds within which a lost connection is given up, with some for a busy machine. */
const GIVEN_UP_WITHIN_MS = 11_000;
/** Milliseconds within which a service stops; after ten seconds it would end with status 1. */
const STOPPED_WITHIN_MS = 10_000;

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)(
  'a service whose connections are lost without notice',
  () => {
    const workspace = new TestWorkspace();
    let store: Record<string, string>;
    let proxy: TcpProxy;
    let admin: pg.Client;
    let service: Service;

    beforeAll(async () => {
      await buildProgram();
      store = await workspace.migratedStore();
      const url = new URL(store.DATABASE_URL as string);
      proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
      admin = new pg.Client({ connectionString: url.href });
      await admin.connect();
      Object.assign(url, { hostname: '127.0.0.1', port: String(proxy.port) });
      store = { ...store, DATABASE_URL: url.href, CASTELLAN_API_KEY: randomBytes(24).toString('hex') };
    });
    afterAll(async () => {
      proxy?.restore();
      await admin?.end();
      await workspace.clear();
      await proxy?.stop();
    });

    const start = async (): Promise<void> => {
      service = await workspace.startDev(store);
    };
    const send = (method: string, path: string, body?: object): Promise<number> => {
      const { PORT, CASTELLAN_API_KEY } = service.environment;
      const headers = { 'x-api-key': CASTELLAN_API_KEY as string, ...(body && { 'content-type': 'application/json' }) };
      return fetch(`http://127.0.0.1:${PORT}${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      }).then(
        ({ status }) => status,
        () => 0,
      );
    };
    const ban = () => send('POST', '/v2/social/ban/', { fids: [7] });
    const read = () => send('GET', '/v1/castsByFid?fid=1');
    const waitsForLock = async (): Promise<boolean> => {
      const { rows } = await admin.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    };
    const stop = async (): Promise<number> => {
      const began = performance.now();
      service.child.kill('SIGTERM');
      expect((await service.ended).code).toBe(0);
      return performance.now() - began;
    };

    test('gives up a statement in the middle of a transaction', async () => {
      await start();
      expect(await ban()).toBe(200);
      await admin.query('begin; lock table ban in access exclusive mode');
      const banned = ban();
      await expect.poll(waitsForLock).toBe(true);
      proxy.holdOpen();
      const began = performance.now();
      await admin.query('rollback');
      expect(await banned).toBe(503);
      const took = performance.now() - began;
      console.info(`a statement whose response was lost was given up after ${(took / 1000).toFixed(1)} s`);
      expect(took).toBeLessThan(GIVEN_UP_WITHIN_MS);
      await expect.poll(ban).toBe(200);
      await stop();
    });

    test('lets a statement go on while the server works on it', async () => {
      const url = new URL(store.DATABASE_URL as string);
      const tracked = openPostgres({ url: url.href, poolSize: 1 });
      url.searchParams.set('options', '-c track_activities=off');
      const untracked = openPostgres({ url: url.href, poolSize: 1 });
      try {
        const rows = [tracked, untracked].map((db) => db.run<{ n: number }>('select 1 as n, pg_sleep(8)'));
        expect((await Promise.all(rows)).map(([row]) => row?.n)).toEqual([1, 1]);
      } finally {
        await Promise.all([tracked.close(), untracked.close()]);
      }
    });

    test('connects anew for notices of commits', async () => {
      const db = openPostgres({ url: store.DATABASE_URL as string, poolSize: 1 });
      db.notices.listen(() => undefined);
      await expect.poll(() => db.notices.isListening()).toBe(true);
      proxy.holdOpen();
      const began = performance.now();
      await expect.poll(() => db.notices.isListening()).toBe(false);
      const took = performance.now() - began;
      console.info(`a connection that waited for notices was given up after ${(took / 1000).toFixed(1)} s`);
      expect(took).toBeLessThan(GIVEN_UP_WITHIN_MS);
      await expect.poll(() => db.notices.isListening()).toBe(true);
      await db.close();
    });

    test('connects to the next host if the first does not respond', async () => {
      const url = store.DATABASE_URL as string;
      const { host } = new URL(process.env.TEST_DATABASE_URL as string);
      const db = openPostgres({ url: url.replace(/(127\.0\.0\.1:\d+)/, `$1,${host}`), poolSize: 1 });
      proxy.hold();
      try {
        expect(await db.run('select pg_is_in_recovery() as "isStandby"')).toEqual([{ isStandby: false }]);
        expect(host).toBe(db.address());
      } finally {
        await db.close();
        proxy.restore();
      }
    });

    test('stops with status 0', async () => {
      await start();
      expect([await ban(), await read()]).toEqual([200, 200]);
      proxy.holdOpen();
      const took = await stop();
      console.info(`a service with lost connections stopped after ${(took / 1000).toFixed(1)} s`);
      expect(took).toBeLessThan(STOPPED_WITHIN_MS);
    });

    test('stops with status 0 while the server cannot be reached and requests wait', async () => {
      await start();
      expect([await ban(), await read()]).toEqual([200, 200]);
      proxy.hold();
      const waiting = [ban(), read(), ban(), read()];
      const took = await stop();
      await Promise.all(waiting);
      console.info(`a service without its server stopped after ${(took / 1000).toFixed(1)} s`);
      expect(took).toBeLessThan(STOPPED_WITHIN_MS);
      proxy.restore();
    });
  },
);
