import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Database } from '../src/db/database.js';
import { importBuilt } from './build-import.js';
import type { NetworkSize } from './network-plan.js';

/** The benchmark's database: a separate one on a PostgreSQL server, or an embedded one in a folder. */
export interface Target {
  readonly kind: Database['kind'];
  /** Variables with the database's location for the service. */
  readonly environment: Readonly<Record<string, string>>;
  /** Version of the database, for the heading. */
  readonly version: string;
  /** postgres:// address; undefined for the embedded one. */
  readonly url: string | undefined;
  /** Whether an earlier run loaded the whole network and kept it. */
  isLoaded(): Promise<boolean>;
  /** Creates it again, without tables. */
  create(): Promise<void>;
  drop(): Promise<void>;
  /** Copies it under its name and a suffix, replacing an earlier copy. @throws for the embedded one */
  copy(suffix: string): Promise<Target>;
  /** Removes dead rows and collects statistics. */
  vacuum(): Promise<void>;
}

const onServer = async <Row>(url: string, sql: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
};

/** @param serverUrl any database of a server with the right to create databases; undefined: embedded */
export const openTarget = (serverUrl: string | undefined, size: NetworkSize): Promise<Target> => {
  const name = `castellan_bench_${size.accounts}_${size.casts}_${size.reactions}_${size.links}`;
  return serverUrl === undefined ? embedded(name) : onPostgres(serverUrl, name);
};

const onPostgres = async (serverUrl: string, name: string): Promise<Target> => {
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  const [version] = await onServer<{ server_version: string }>(serverUrl, 'show server_version');
  const drop = async () => void (await onServer(serverUrl, `drop database if exists ${name} with (force)`));
  const target: Target = {
    kind: 'postgres',
    environment: { DATABASE_URL: url },
    version: `PostgreSQL ${version?.server_version}`,
    url,
    isLoaded: async () => {
      const known = await onServer(serverUrl, `select 1 from pg_database where datname = '${name}'`);
      return known.length > 0 && hasMark(target);
    },
    create: async () => {
      await drop();
      await onServer(serverUrl, `create database ${name}`);
    },
    drop,
    copy: async (suffix) => {
      const copy = await onPostgres(serverUrl, `${name}_${suffix}`);
      await copy.drop();
      await onServer(serverUrl, `create database ${name}_${suffix} template ${name}`);
      return copy;
    },
    vacuum: async () => void (await onServer(url, 'vacuum (analyze)')),
  };
  return target;
};

const embedded = async (name: string): Promise<Target> => {
  const folder = fileURLToPath(new URL(`.cache/${name}`, import.meta.url));
  const target: Target = {
    kind: 'embedded',
    environment: { CASTELLAN_DATA_DIR: folder },
    version: 'embedded PostgreSQL (PGlite)',
    url: undefined,
    isLoaded: () => hasMark(target),
    create: async () => {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
    },
    drop: () => rm(folder, { recursive: true, force: true }),
    copy: async () => {
      throw new Error('an embedded database is not copied');
    },
    vacuum: () => withDatabase(target.environment, (db) => db.vacuum()),
  };
  return target;
};

/** Opens the database as commands do, with the lock of its folder if it is embedded. */
export const withDatabase = async <T>(
  environment: Target['environment'],
  work: (db: Database) => Promise<T>,
): Promise<T> => {
  const { loadStoreConfig } = await importBuilt<typeof import('../src/config/config.js')>('config/config.js');
  const { openDatabase } = await importBuilt<typeof import('../src/db/open-database.js')>('db/open-database.js');
  const { lockFolder } = await importBuilt<typeof import('../src/db/lock.js')>('db/lock.js');
  const config = loadStoreConfig(environment);
  const lock = 'dataDir' in config.database ? await lockFolder(config.database.dataDir) : undefined;
  try {
    const db = await openDatabase(config);
    return await work(db).finally(() => db.close());
  } finally {
    await lock?.release();
  }
};

/** Creates a table that marks a completed load. */
export const markLoaded = (db: Database): Promise<void> => db.script('create table bench_loaded ()');

const hasMark = ({ environment }: Target): Promise<boolean> =>
  withDatabase(environment, async (db) => {
    const [row] = await db.run<{ found: boolean }>(`select to_regclass('bench_loaded') is not null as found`);
    return row?.found === true;
  });
