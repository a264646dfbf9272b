import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../error.js';
import type { Database, Session } from './database.js';

/** Taken while migrations run, so that two processes starting together do not run them twice. */
const MIGRATION_LOCK = 0x63617374;

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url));

export interface Migration {
  readonly name: string;
  readonly text: string;
}

/** @returns the migrations of the package, in order of their numbers. */
export const readMigrations = async (): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })));
};

const appliedNames = async (session: Session): Promise<Set<string>> => {
  await session.run(
    'create table if not exists migration (name text primary key, applied_at timestamptz not null default now())',
  );
  const rows = await session.select<{ name: string }>('select name from migration');
  return new Set(rows.map((row) => row.name));
};

/** The database has migrations that this program does not know. */
export const newerSchema = (unknown: readonly string[]): AppError =>
  new AppError(
    'conflict',
    'NewerSchema',
    `The database was upgraded by a newer version of Castellan: this one does not know ${unknown.join(', ')}. Start the newer version, or restore a backup from before the upgrade.`,
  );

/**
 * Brings the database to the newest migration. Safe to call from several processes at once.
 * @returns the names of the migrations that this call applied.
 * @throws AppError `conflict` when a newer version has migrated the database; nothing is changed then.
 * @throws the database's error; the failing migration is rolled back whole.
 */
export const migrate = async (db: Database): Promise<string[]> => {
  const migrations = await readMigrations();
  return db.transaction(async (session) => {
    await session.run('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const applied = await appliedNames(session);
    const known = new Set(migrations.map(({ name }) => name));
    const unknown = [...applied].filter((name) => !known.has(name)).sort();
    if (unknown.length > 0) throw newerSchema(unknown);
    const pending = migrations.filter((migration) => !applied.has(migration.name));
    for (const migration of pending) {
      await session.script(migration.text);
      await session.run('insert into migration (name) values ($1)', [migration.name]);
    }
    return pending.map((migration) => migration.name);
  });
};
