import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDatabaseUrl } from '../src/config/database-url.js';
import { openDatabase } from '../src/db/open-database.js';
import { PipelinedClient } from '../src/db/pipelined-client.js';
import { openPostgres } from '../src/db/postgres.js';
import { createPooler } from '../src/db/server/server.js';
import { PREPARED_READS } from '../src/db/server/session-kind.js';
import { statement } from '../src/db/statement.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { DAY } from '../src/sample/clock.js';
import { castellan } from './support/castellan.js';
import { type Cluster, serverPrograms, startCluster } from './support/cluster.js';
import { delay } from './support/delay.js';
import { type Network, startNetwork } from './support/network.js';
import { type Pooler, startPooler } from './support/pooler.js';
import { hasPooler } from './support/pooler-path.js';
import { FIDS, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

/** Milliseconds after the pooler is back until everything must be served. */
const BACK_MS = 5_000;

const ofSetting = statement<{ value: string }>('test_pooler_setting', 'select current_setting($1) as value');

describe.skipIf(serverPrograms === undefined || !hasPooler)(
  'PgBouncer in transaction mode (skipped without it, from version 1.21 on, or without a server)',
  () => {
    let server: Cluster;
    let pooler: Pooler;
    let network: Network;
    let signer: string;

    const open = (poolSize = 4) => openPostgres({ url: pooler.url, directUrl: server.url, poolSize });

    beforeAll(async () => {
      server = await startCluster();
      // Fewer sessions than the service has connections.
      pooler = await startPooler(server.url, ['default_pool_size = 4', 'server_login_retry = 1']);
      network = await startNetwork({ DATABASE_URL: pooler.url, CASTELLAN_DIRECT_URL: server.url });
      const seeded = await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY);
      signer = (await approvedSigner(network, seeded.alice)).uuid;
    });
    afterAll(async () => {
      await network?.stop();
      await pooler?.remove();
      await server?.remove();
    });

    const publish = (text: string) => network.send('POST', '/v2/social/cast/', { signer_uuid: signer, text });
    const read = (fid: number) => network.get(`/v2/social/user/bulk/?fids=${FIDS.alice},${fid}`);

    test('many requests share a few sessions of the server', async () => {
      const reads = Array.from({ length: 200 }, (_, at) => read(1_000 + at));
      const writes = Array.from({ length: 20 }, (_, at) => publish(`shared ${at}`));
      const statuses = await Promise.all([...reads, ...writes].map(async (one) => (await one).status));
      expect(new Set(statuses)).toEqual(new Set([200]));
      const pools = await pooler.command<{ database: string; sv_active: number; sv_idle: number; sv_used: number }>(
        'show pools',
      );
      const { sv_active, sv_idle, sv_used } = pools.find(
        ({ database }) => database === 'postgres',
      ) as (typeof pools)[0];
      expect(sv_active + sv_idle + sv_used).toBeLessThanOrEqual(4);
    });

    test('each read has its settings, and leaves none to others', async () => {
      const db = open();
      try {
        const names = ['jit', 'transaction_read_only', 'lock_timeout', 'statement_timeout', 'plan_cache_mode'];
        const shown = () => Promise.all(names.map(async (name) => (await db.read(ofSetting, [name]))[0]?.value));
        expect(await shown()).toEqual(['off', 'on', '10ms', '250ms', 'force_generic_plan']);
        const other = new pg.Client({ connectionString: pooler.url });
        await other.connect();
        for (let at = 0; at < 20; at++) {
          await Promise.all([shown(), delay(at)]);
          const { rows: shownThere } = await other.query<{ value: string }>(
            'select current_setting(name) as value from unnest($1::text[]) with ordinality as n (name, at) order by at',
            [names],
          );
          const rows = shownThere.map(({ value }) => value);
          expect(rows).toEqual([expect.any(String), 'off', '0', '0', 'auto']);
        }
        await other.end();
        await expect(db.select('insert into migration (name) values ($1) returning name', ['x'])).rejects.toMatchObject(
          {
            code: '25006',
          },
        );
      } finally {
        await db.close();
      }
    });

    test('a statement that could not be prepared during a lock is prepared after it, on the same connection', async () => {
      const reader = new PipelinedClient(createPooler(parseDatabaseUrl(pooler.url)).config(PREPARED_READS));
      const other = new pg.Client({ connectionString: server.url });
      try {
        await other.connect();
        await other.query('create table locked (n int)');
        await other.query('begin; lock table locked in access exclusive mode');
        const read = () => reader.query({ name: 'test_pooler_locked', text: 'select n from locked', values: [] });
        const blocked = await Promise.allSettled(Array.from({ length: 6 }, read));
        expect(new Set(blocked.map(({ status }) => status))).toEqual(new Set(['rejected']));
        await other.query('rollback');
        for (let at = 0; at < 20; at++) expect((await read()).rows).toEqual([]);
      } finally {
        await other.end();
        await reader.close();
      }
    });

    test('a statement that works for long is not given up while others wait for a session', async () => {
      const small = await startPooler(server.url, ['default_pool_size = 1']);
      const db = openPostgres({ url: small.url, directUrl: server.url, poolSize: 3 });
      try {
        const [long, waiting] = ['pg_sleep(12)', 'pg_sleep(0)'].map((call) => db.run(`select ${call} is null as n`));
        expect(await Promise.all([long, waiting])).toEqual([[{ n: false }], [{ n: false }]]);
      } finally {
        await db.close();
        await small.remove();
      }
    });

    test('processes hear of each other’s commits over their own connections', async () => {
      const [here, there] = [open(1), open(1)];
      try {
        let heard = 0;
        there.notices.listen(() => {
          heard++;
        });
        await expect.poll(() => there.notices.isListening()).toBe(true);
        const before = heard;
        here.notices.send();
        await expect.poll(() => heard).toBeGreaterThan(before);
      } finally {
        await Promise.all([here.close(), there.close()]);
      }
    });

    test('what is acknowledged while the pooler dies and comes back is stored, once', async () => {
      const acknowledged: string[] = [];
      const statuses = new Set<number>();
      let isOver = false;
      const client = async (name: string): Promise<void> => {
        for (let n = 0; !isOver; n++) {
          const text = `${name} ${n}`;
          const { status } = await publish(text);
          statuses.add(status);
          if (status === 200) acknowledged.push(text);
          statuses.add((await read(n + 1)).status);
          await delay(10);
        }
      };
      const clients = Promise.all(['one', 'two', 'three'].map(client));
      try {
        for (let round = 0; round < 3; round++) {
          await delay(500);
          await pooler.kill();
          await delay(300);
          await pooler.start();
        }
        const back = async () => [(await read(1)).status, (await publish(`back ${Math.random()}`)).status];
        await expect.poll(back, { timeout: BACK_MS }).toEqual([200, 200]);
      } finally {
        isOver = true;
        await clients;
      }
      for (const status of statuses) expect([200, 503, 504]).toContain(status);
      expect(acknowledged.length).toBeGreaterThan(3);
      const rows = await network.sql<{ text: string; count: number }>(
        'select text, count(*)::integer as count from "cast" where text = any($1) group by text',
        [acknowledged],
      );
      expect(rows.length).toBe(acknowledged.length);
      expect(rows.filter(({ count }) => count !== 1)).toEqual([]);
    });

    test('a pooler that lets nobody through is given up, and is used again when it does', async () => {
      expect((await read(2_000)).status).toBe(200);
      await pooler.command('pause');
      const began = performance.now();
      const statuses = await Promise.all([read(2_001), read(2_002)].map(async (one) => (await one).status));
      const took = performance.now() - began;
      await pooler.command('resume');
      expect(new Set(statuses)).toEqual(new Set([503]));
      expect(took).toBeLessThan(15_000);
      await expect.poll(async () => (await read(2_003)).status, { timeout: BACK_MS }).toBe(200);
    });

    test('the server restarts behind it', async () => {
      await server.restart('fast');
      await expect.poll(async () => (await read(3_000)).status, { timeout: BACK_MS }).toBe(200);
      await expect.poll(async () => (await publish('after the restart')).status, { timeout: BACK_MS }).toBe(200);
    });

    describe('before it starts, the service checks', () => {
      const opening = (url: string, directUrl: string): Promise<string> =>
        castellan(['audit'], {
          DATABASE_URL: url,
          CASTELLAN_DIRECT_URL: directUrl,
          CASTELLAN_HUB_NETWORK: 'devnet',
        }).then(({ code, err }) => `${code} ${err}`);

      test('that both addresses lead to the same database', async () => {
        const other = Object.assign(new URL(server.url), { pathname: '/template1' }).href;
        expect(await opening(pooler.url, other)).toContain(
          'CASTELLAN_DIRECT_URL leads to another database than DATABASE_URL',
        );
      });

      test('that the server can be reached', async () => {
        expect(await opening(pooler.url, 'postgres://postgres@127.0.0.1:9/postgres')).toContain(
          'The server of CASTELLAN_DIRECT_URL cannot be reached',
        );
      });

      test('that prepared statements are kept apart', async () => {
        const without = await startPooler(server.url, ['max_prepared_statements = 0']);
        try {
          expect(await opening(without.url, server.url)).toContain('max_prepared_statements = 1000');
        } finally {
          await without.remove();
        }
      });

      test('and nothing else', async () => {
        const db = await openDatabase(network.config);
        await db.close();
      });
    });
  },
);
