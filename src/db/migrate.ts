import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../error.js';
import type { Database } from './database.js';
import type { Session } from './statement.js';

/** Advisory lock that keeps processes which start together from running the same migrations. */
const MIGRATION_LOCK = 0x63617374;

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url));

export interface Migration {
  readonly name: string;
  readonly text: string;
}

export const readMigrations = async (): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })));
};

const appliedNames = async (session: Session): Promise<string[]> => {
  await session.run(
    'create table if not exists migration (name text primary key, applied_at timestamptz not null default now())',
  );
  const rows = await session.select<{ name: string }>('select name from migration order by name');
  return rows.map((row) => row.name);
};

/** Migrations of a database that this program does not have. */
export interface UnknownMigrations {
  /** `outdated`: the database is from before 0.1.0, whose migrations were replaced by the current ones. */
  readonly kind: 'newer' | 'outdated';
  readonly unknown: readonly string[];
}

/** @param known in order @param applied in order */
export const findUnknownMigrations = (
  known: readonly string[],
  applied: readonly string[],
): UnknownMigrations | undefined => {
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length === 0) return undefined;
  // Newer versions only append migrations, so an unknown one that sorts before the last known one is older.
  const isOutdated = unknown.some((name) => name < (known.at(-1) as string));
  return { kind: isOutdated ? 'outdated' : 'newer', unknown };
};

export const unknownSchema = ({ kind, unknown }: UnknownMigrations): AppError =>
  kind === 'newer'
    ? new AppError(
        'conflict',
        'NewerSchema',
        `The database was upgraded by a newer version of Castellan: this one does not know ${unknown.join(', ')}. Start the newer version, or restore a backup from before the upgrade.`,
      )
    : new AppError(
        'conflict',
        'OutdatedSchema',
        `The database was made by a version of Castellan before 0.1.0, which cannot be upgraded: this version does not know ${unknown.join(', ')}. Start with an empty database (another DATABASE_URL or CASTELLAN_DATA_DIR) and load it again with \`castellan import\` or \`castellan backfill\`.`,
      );

/**
 * Applies all missing migrations. Several processes may call it at once.
 * @returns the names of the migrations that this call applied
 * @throws AppError `conflict` when the database is of a newer version or from before 0.1.0; nothing is changed then
 * @throws the database's error; the failed migration is rolled back completely
 */
export const migrate = async (db: Database): Promise<string[]> => {
  const migrations = await readMigrations();
  return db.transaction(async (session) => {
    await session.run('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const applied = await appliedNames(session);
    const names = migrations.map(({ name }) => name);
    const unknown = findUnknownMigrations(names, applied);
    if (unknown) throw unknownSchema(unknown);
    const pending = migrations.filter(({ name }) => !applied.includes(name));
    for (const migration of pending) {
      await session.script(migration.text);
      await session.run('insert into migration (name) values ($1)', [migration.name]);
    }
    return pending.map((migration) => migration.name);
  });
};
