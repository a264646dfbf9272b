import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Cluster, serverPrograms, startCluster, startStandby } from '../../../test/support/cluster.js';
import { until } from '../../../test/support/hub-fixture.js';
import { startTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.js';
import { selectLogPosition } from '../../store/log-position.js';
import type { Database } from '../database.js';
import { openPostgres } from '../postgres.js';
import { searchStatement, statement } from '../statement.js';
import { NO_MARK, ReplicaPool, type ReplicaState } from './pool.js';

const CONNECTIONS = { readers: 2, slowReaders: 2, searchers: 2, poolSize: 4 };

/** What the server is, and the largest number that it shows. */
const shown = statement<{ isStandby: boolean; n: number }>(
  'test_replica_shown',
  `select pg_is_in_recovery() as "isStandby", max(n) as n from number`,
);
const slowRead = statement<{ isStandby: boolean }>(
  'test_replica_slow',
  'select pg_is_in_recovery() as "isStandby", pg_sleep(0.3), (select max(n) from number)',
);
const slowestRead = statement(
  'test_replica_slowest',
  'select pg_sleep(case when pg_is_in_recovery() then 20 else 0 end)',
);
const slowSearch = searchStatement<{ isStandby: boolean }>(
  'test_replica_search',
  'select pg_is_in_recovery() as "isStandby", pg_sleep(1), (select max(n) from number)',
);

describe.skipIf(serverPrograms === undefined)('replicas (skipped where no server is installed)', () => {
  let primary: Cluster;
  let first: Cluster;
  let second: Cluster;
  let db: Database;
  let pool: ReplicaPool;
  let proxy: TcpProxy | undefined;
  let moment = 0;
  let sent: string[] = [];
  let reasons: string[] = [];
  let changed: ReplicaState[] = [];

  const admin = async ({ url }: Cluster, ...texts: readonly string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const text of texts) await client.query(text);
    await client.end();
  };

  beforeAll(async () => {
    primary = await startCluster();
    await admin(primary, 'create table number (n integer)', 'insert into number values (0)');
  });
  afterAll(async () => {
    await primary?.remove();
  });
  beforeEach(async () => {
    [first, second] = [await startStandby(primary), await startStandby(primary)];
    db = openPostgres({ url: primary.url, ...CONNECTIONS });
    [sent, reasons, changed] = [[], [], []];
  });
  afterEach(async () => {
    await pool.stop();
    await db.close();
    await proxy?.stop();
    proxy = undefined;
    for (const one of [first, second]) await one.remove();
  });

  const open = (...urls: readonly string[]): void => {
    pool = new ReplicaPool({
      urls,
      connections: CONNECTIONS,
      primary: db,
      selectPosition: () => selectLogPosition(db),
      moment: () => moment,
      around: (_, send) => send(),
      sent: (target) => sent.push(target),
      fellBack: (reason) => reasons.push(reason),
      changed: (state) => changed.push(state),
    });
    pool.start();
  };
  /** Opens a replica whose address leads to the server that the function returns for each connection. */
  const openProxy = async (serverOf: () => Cluster): Promise<TcpProxy> => {
    const to = {
      host: '127.0.0.1',
      get port() {
        return serverOf().port;
      },
    };
    proxy = await startTcpProxy(to);
    open(`postgres://postgres@127.0.0.1:${proxy.port}/postgres`);
    return proxy;
  };
  const stateOf = ({ port }: { readonly port: number }): ReplicaState =>
    pool.states().find(({ name }) => name.endsWith(`:${port}`)) as ReplicaState;
  const isUsed = (one: { readonly port: number }): boolean => stateOf(one).problem === undefined;
  /** Writes the next number, of which the process knows afterwards. */
  const write = async (): Promise<number> => {
    const [row] = await db.run<{ n: number }>('insert into number select max(n) + 1 from number returning n');
    moment += 1;
    return row?.n ?? 0;
  };
  const read = async () => (await pool.open().read(shown, [], moment))[0];
  /** Writes, and must read that at once. @param isStandby where it must be read; absent: anywhere */
  const readBack = async (isStandby?: boolean): Promise<void> => {
    const n = await write();
    expect(await read()).toMatchObject({ n, ...(isStandby !== undefined && { isStandby }) });
  };
  /** Reads come all the time, so that marks are made. */
  const untilRead = (check: () => unknown): Promise<void> =>
    until(async () => {
      await read();
      return check();
    });

  test('a statement that the replay of the log cancels is repeated on the primary', async () => {
    await admin(first, "alter system set max_standby_streaming_delay = '0'", 'select pg_reload_conf()');
    open(first.url);
    await until(() => isUsed(first));
    let searching: Promise<unknown> | undefined;
    await until(async () => {
      // On a busy machine, the replica may not be fresh in time, and the primary is asked instead.
      searching ??= pool
        .open()
        .read(slowSearch, [], moment)
        .finally(() => {
          searching = undefined;
        });
      const client = new pg.Client({ connectionString: first.url });
      await client.connect();
      const { rows } = await client.query(
        "select 1 from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()",
      );
      await client.end();
      return rows.length === 1;
    });
    [sent, reasons] = [[], []];
    await admin(primary, 'truncate number', 'insert into number values (1)');
    expect(await searching).toMatchObject([{ isStandby: false }]);
    expect([sent, reasons]).toEqual([['primary'], ['conflict']]);
  });

  test('a replica that was promoted is left out', async () => {
    open(first.url, second.url);
    await until(() => isUsed(first) && isUsed(second));
    await first.promote();
    await untilRead(() => stateOf(first).isPrimary);
    sent = [];
    for (let turn = 0; turn < 20; turn++) await readBack();
    expect(sent).toContain(stateOf(second).name);
    expect(sent).not.toContain(stateOf(first).name);
  });

  test('another cluster, and another database of the same one, are left out', async () => {
    const other = await startCluster();
    try {
      await admin(primary, 'create database other');
      open(other.url, first.url.replace(/postgres$/, 'other'));
      await untilRead(() => pool.states().every(({ problem }) => problem === 'has another database than the primary'));
      expect(await read()).toMatchObject({ isStandby: false });
    } finally {
      await other.remove();
      await admin(primary, 'drop database other with (force)');
    }
  });

  test('behind one address may be several replicas, of which one does not replay the log', async () => {
    let turn = 0;
    const address = await openProxy(() => (turn++ % 2 === 0 ? first : second));
    await untilRead(() => isUsed(address));
    await admin(second, 'select pg_wal_replay_pause()');
    for (let n = 0; n < 100; n++) await readBack();
    expect(sent.filter((target) => target === 'primary').length).toBeLessThan(50);
  });

  test.each<[string, (one: Cluster) => Promise<unknown>]>([
    ['was promoted', (one) => one.promote()],
    ['replays nothing', (one) => admin(one, 'select pg_wal_replay_pause()')],
  ])('an address is read from again when it no longer leads to a server that %s', async (_, spoil) => {
    let to = first;
    const address = await openProxy(() => to);
    await untilRead(() => isUsed(address));
    await spoil(first);
    await write();
    await untilRead(() => !isUsed(address));
    to = second;
    await untilRead(() => isUsed(address));
    await until(async () => (await read())?.isStandby);
    // The reports say nothing of connections that were given up on purpose.
    expect(changed.filter(({ failure }) => failure)).toEqual([]);
  });

  test('a replica is a primary only if all of its connections lead to one', async () => {
    let turn = 0;
    const address = await openProxy(() => (turn++ % 2 === 0 ? first : second));
    // Without reads, the first connection is that to the first server.
    await until(() => isUsed(address));
    await admin(second, 'select pg_wal_replay_pause()');
    await write();
    await first.promote();
    await untilRead(() => !isUsed(address));
    expect(stateOf(address)).toMatchObject({ problem: 'is behind', isPrimary: false });
  });

  test('a connection for slow reads is given up when its server has not replayed enough', async () => {
    let to = first;
    const address = await openProxy(() => to);
    const readSlowly = async () => (await pool.open().read(slowRead, [], moment))[0];
    await untilRead(() => isUsed(address));
    to = second;
    await until(async () => (await readSlowly())?.isStandby);
    await admin(second, 'select pg_wal_replay_pause()');
    await write();
    await until(async () => (await readSlowly())?.isStandby === false);
    to = first;
    await until(async () => (await readSlowly())?.isStandby);
  });

  test('a response that has read from one replica reads nothing older from another', async () => {
    proxy = await startTcpProxy({ host: '127.0.0.1', port: first.port });
    const address = proxy;
    open(`postgres://postgres@127.0.0.1:${proxy.port}/postgres`, second.url);
    const isReadFromFirst = () => sent.at(-1) === stateOf(address).name;
    for (let round = 0; round < 5; round++) {
      await untilRead(() => isUsed(address) && isUsed(second));
      await admin(second, 'select pg_wal_replay_pause()');
      // As another process does: no response has to show it.
      const [row] = await db.run<{ n: number }>('insert into number select max(n) + 1 from number returning n');
      let response = pool.open();
      await until(async () => {
        response = pool.open();
        const [shownRow] = await response.read(shown, [], moment);
        return isReadFromFirst() && shownRow?.n === row?.n;
      });
      address.cut();
      await until(() => !isUsed(address));
      expect(await response.read(shown, [], moment)).toMatchObject([{ n: row?.n }]);
      address.restore();
      await admin(second, 'select pg_wal_replay_resume()');
    }
  });

  test('a primary that does not say where its log ends is reported, until it does', async () => {
    const control = 'execute on function pg_control_system()';
    await admin(
      primary,
      'create role reader login',
      'grant select on number to reader',
      `revoke ${control} from public`,
    );
    try {
      await db.close();
      db = openPostgres({ url: primary.url.replace('postgres@', 'reader@'), ...CONNECTIONS });
      open(first.url);
      await untilRead(() => changed.length > 0);
      expect(changed).toMatchObject([{ problem: NO_MARK, failure: { code: '42501' }, isPrimary: false }]);
      await admin(primary, `grant ${control} to reader`);
      await untilRead(() => isUsed(first));
      expect(changed.at(-1)).toMatchObject({ problem: undefined, failure: undefined });
      await admin(primary, `revoke ${control} from reader`);
      await untilRead(() => stateOf(first).problem === NO_MARK);
      reasons = [];
      await read();
      expect(reasons).toEqual(['none']);
    } finally {
      await admin(primary, `grant ${control} to public`, 'drop owned by reader', 'drop role reader');
    }
  });

  test('a replica that comes and goes is not reported each time', async () => {
    open(first.url);
    await untilRead(() => isUsed(first));
    for (let swing = 0; swing < 5; swing++) {
      await admin(first, 'select pg_wal_replay_pause()');
      await write();
      // It is left out after 0.75 s, which is reported with the next mark.
      await untilRead(() => stateOf(first).lagSeconds > 1.5);
      await admin(first, 'select pg_wal_replay_resume()');
      await untilRead(() => isUsed(first));
    }
    expect(changed.length).toBeLessThan(6);
  });

  test('a slow read that is under way does not hold up the stop', async () => {
    open(first.url);
    await untilRead(() => isUsed(first));
    let reading: Promise<unknown> | undefined;
    // One that the primary answers, because the replica is late at that moment, ends at once.
    const readSlowly = (): void => {
      reading ??= pool
        .open()
        .read(slowestRead, [], moment)
        .catch(() => undefined)
        .finally(() => {
          reading = undefined;
        });
    };
    const sleepers = `select 1 from pg_stat_activity
      where query like '%then 20 else%' and pid <> pg_backend_pid() and state = 'active' and clock_timestamp() - query_start > interval '0.4 s'`;
    const client = new pg.Client({ connectionString: first.url });
    await client.connect();
    await until(async () => {
      readSlowly();
      return (await client.query(sleepers)).rows.length === 1;
    });
    await client.end();
    const began = performance.now();
    await pool.stop();
    expect(performance.now() - began).toBeLessThan(6_000);
    open(second.url);
    first.kill();
    await reading;
  });

  test('when a replica is gone without notice, the reads that it has not answered go to the primary', async () => {
    const address = await openProxy(() => first);
    await untilRead(() => isUsed(address));
    address.hold();
    const began = performance.now();
    const reads = await Promise.all(Array.from({ length: 20 }, read));
    const waited = performance.now() - began;
    expect(reads.every((row) => row?.isStandby === false)).toBe(true);
    console.info(`reads that were under way waited ${Math.round(waited)} ms`);
    expect(waited).toBeLessThan(2_500);
    await untilRead(() => !isUsed(address));
    address.restore();
    await untilRead(() => isUsed(address));
  });

  test('after a promotion, a replica counts again when it follows the new primary', async () => {
    await db.close();
    const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${first.port}/postgres`;
    db = openPostgres({ url, ...CONNECTIONS });
    open(first.url, second.url);
    await until(() => isUsed(first) && isUsed(second));
    await write();
    await untilRead(() => isUsed(second));
    primary.kill();
    await first.promote();
    await until(async () => (await db.run<{ n: number }>('select max(n) as n from number')).length === 1);
    sent = [];
    for (let n = 0; n < 20; n++) await readBack(false);
    await untilRead(() => stateOf(first).isPrimary);
    await untilRead(() => !isUsed(second));
    const follow = `host=127.0.0.1 port=${first.port} user=postgres`;
    await admin(second, `alter system set primary_conninfo = '${follow}'`, 'select pg_reload_conf()');
    await until(async () => {
      await write();
      await read();
      return isUsed(second);
    });
    sent = [];
    for (let n = 0; n < 20; n++) await readBack();
    expect(sent).toContain(stateOf(second).name);
    await primary.start();
  });

  test('a replica that had received more than the one that was promoted is left out', async () => {
    await db.close();
    const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${first.port}/postgres`;
    db = openPostgres({ url, ...CONNECTIONS });
    open(second.url);
    await untilRead(() => isUsed(second));
    await admin(first, "alter system set primary_conninfo = ''", 'select pg_reload_conf()');
    const receivers = "select 1 from pg_stat_replication where state = 'streaming'";
    await until(async () => (await db.run(receivers)).length === 1);
    await admin(primary, "create table lost as select n, repeat('x', 200) from generate_series(1, 100000) n");
    moment += 1;
    await untilRead(() => isUsed(second));
    primary.kill();
    await first.promote();
    await until(async () => (await db.run("select 1 where to_regclass('lost') is null")).length === 1);
    moment += 1;
    for (let n = 0; n < 20; n++) await readBack(false);
    await pool.stop();
    // A service that starts now does not know what was before.
    open(second.url);
    for (let n = 0; n < 20; n++) await readBack(false);
    expect(isUsed(second)).toBe(false);
    await primary.start();
    await admin(primary, 'drop table lost');
  });
});
