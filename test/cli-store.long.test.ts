import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { allCommands } from '../src/cli/command-list.js';
import { loadStoreConfig } from '../src/config/config.js';
import type { Database } from '../src/db/database.js';
import { readMigrations } from '../src/db/migrate.js';
import { openDatabase } from '../src/db/open-database.js';
import { buildProgram, castellan, TestWorkspace } from './support/castellan.js';

vi.setConfig({ testTimeout: 180_000 });

const work = new TestWorkspace();
beforeAll(buildProgram);
afterAll(() => work.clear());

type Environment = Record<string, string>;

const UUID = '11111111-1111-4111-8111-111111111111';
/** A command that reads, one that changes data, one that creates some. */
const COMMANDS = [
  ['audit'],
  ['key', 'list'],
  ['key', 'revoke', UUID],
  ['key', 'create', 'mine'],
  ['org', 'create', 'x'],
];

/** Reads the database while no command uses it. */
const look = async <T>(environment: Environment, work: (db: Database) => Promise<T>): Promise<T> => {
  const db = await openDatabase(loadStoreConfig(environment));
  try {
    return await work(db);
  } finally {
    await db.close();
  }
};

const applied = (environment: Environment) =>
  look(environment, async (db) => {
    const rows = await db.run<{ name: string }>('select name from migration order by name');
    return rows.map(({ name }) => name);
  });

describe('a command without a database', () => {
  it('does not create a database, and reports where it looked', async () => {
    const environment = await work.newStore();
    const folder = environment.CASTELLAN_DATA_DIR as string;
    const place = environment.DATABASE_URL === undefined ? `in ${folder}` : 'where DATABASE_URL leads';
    for (const command of COMMANDS) {
      const { code, out, err } = await castellan(command, environment);
      expect([command, code, out]).toEqual([command, 1, '']);
      expect(err).toContain('There is no database');
      expect(err).toContain(place);
      expect(err).toContain('castellan migrate');
    }
    expect(existsSync(folder)).toBe(false);
    if (environment.DATABASE_URL === undefined) return;
    const tables = await look(environment, (db) => db.run("select 1 from pg_tables where schemaname = 'public'"));
    expect(tables).toEqual([]);
  });

  it('does not change a folder with other files', async () => {
    const environment = await work.newStore();
    const folder = environment.CASTELLAN_DATA_DIR as string;
    mkdirSync(join(folder, 'notes'), { recursive: true });
    const { code } = await castellan(['audit'], { ...environment, DATABASE_URL: '' });
    expect(code).toBe(1);
    expect(existsSync(join(folder, 'database'))).toBe(false);
  });

  it('is diagnosed by doctor, which does not create one either', async () => {
    const environment = await work.newStore();
    const { code, out, err } = await castellan(['doctor'], environment);
    expect(err).toBe('');
    expect(out).toMatch(
      environment.DATABASE_URL === undefined ? /^database +look +none yet/m : /^schema +look +none yet/m,
    );
    expect(code).toBe(0);
    expect(existsSync(environment.CASTELLAN_DATA_DIR as string)).toBe(false);
  });

  it('creates one if it is migrate, and reports it', async () => {
    const environment = await work.newStore();
    const made = await castellan(['migrate'], environment);
    expect(made.code).toBe(0);
    if (environment.DATABASE_URL === undefined)
      expect(made.err).toContain(`A new database was made in ${environment.CASTELLAN_DATA_DIR}`);
    expect(await castellan(['audit'], environment)).toMatchObject({ code: 0 });
    expect(await castellan(['key', 'create', 'mine'], environment)).toMatchObject({ code: 0 });
  });
});

describe('a command on a database of another version', () => {
  it('does not migrate an older one', async () => {
    const environment = await work.newStore();
    const older = (await readMigrations()).slice(0, 2);
    await look(environment, async (db) => {
      // A new embedded database has the schema from the build.
      await db.script('drop schema public cascade; create schema public');
      await db.script('create table migration (name text primary key, applied_at timestamptz not null default now())');
      for (const { name, text } of older) {
        await db.script(text);
        await db.run('insert into migration (name) values ($1)', [name]);
      }
    });
    for (const command of COMMANDS.slice(0, 3)) {
      const { code, err } = await castellan(command, environment);
      expect([command, code]).toEqual([command, 1]);
      expect(err).toContain('of an older schema');
      expect(err).toContain('castellan migrate');
    }
    const doctor = await castellan(['doctor'], environment);
    expect([doctor.err, doctor.out]).toEqual(['', expect.stringMatching(/^schema +look +lacks 0003/m)]);
    expect(await applied(environment)).toEqual(older.map(({ name }) => name));
    expect((await castellan(['migrate'], environment)).code).toBe(0);
    expect((await castellan(['key', 'list'], environment)).code).toBe(0);
  });

  it('rejects a newer one', async () => {
    const environment = await work.migratedStore();
    await look(environment, (db) => db.run("insert into migration (name) values ('9999_later.sql')"));
    for (const command of COMMANDS.slice(0, 3)) {
      const { code, err } = await castellan(command, environment);
      expect([command, code]).toEqual([command, 1]);
      expect(err).toContain('upgraded by a newer version');
    }
    const doctor = await castellan(['doctor'], environment);
    expect(doctor).toMatchObject({ code: 1, out: expect.stringMatching(/^schema +WRONG +is newer/m) });
  });
});

it('only these commands create or migrate a database', () => {
  const making = allCommands.filter(({ store }) => store === 'create').map(({ name }) => name);
  expect(making).toEqual(['migrate', 'import', 'backfill', 'restore']);
});
