import { AppError } from '../error.js';
import type { Session } from '../store/database.js';
import { newerSchema, readMigrations } from '../store/migrate.js';

/** How the schema of a database compares with that of this program. */
export type SchemaState =
  | { readonly kind: 'current' }
  /** No migration was ever applied. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'older'; readonly missing: readonly string[] }
  /** A newer program migrated it; `unknown` are the migrations that this one does not have. */
  | { readonly kind: 'newer'; readonly unknown: readonly string[] };

/** @returns how the schema compares with this program's; changes nothing. */
export const selectSchemaState = async (session: Pick<Session, 'run'>): Promise<SchemaState> => {
  const known = (await readMigrations()).map(({ name }) => name);
  const [table] = await session.run<{ present: boolean }>("select to_regclass('migration') is not null as present");
  const rows = table?.present ? await session.run<{ name: string }>('select name from migration order by name') : [];
  if (rows.length === 0) return { kind: 'absent' };
  const applied = rows.map(({ name }) => name);
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0) return { kind: 'newer', unknown };
  const missing = known.filter((name) => !applied.includes(name));
  return missing.length > 0 ? { kind: 'older', missing } : { kind: 'current' };
};

/** The error's code where there is no database, or an empty one. */
export const NO_DATABASE = 'NoDatabase';

/**
 * @param place where it was looked for: `in /srv/castellan`
 * @param setting the variable that names the place
 */
export const noDatabase = (place: string, setting: string): AppError =>
  new AppError(
    'not_found',
    NO_DATABASE,
    `There is no database ${place}: check ${setting}. The first start of the service makes one, and so do \`castellan migrate\`, \`import\` and \`backfill\`.`,
  );

/** @throws AppError unless the database has the schema of this program; changes nothing. */
export const requireCurrentSchema = async (session: Pick<Session, 'run'>, absent: () => AppError): Promise<void> => {
  const state = await selectSchemaState(session);
  if (state.kind === 'absent') throw absent();
  if (state.kind === 'older') {
    const message = `The database is of an older schema (it lacks ${state.missing.join(', ')}): stop services of the older version, then run \`castellan migrate\` or start the service.`;
    throw new AppError('conflict', 'OlderSchema', message);
  }
  if (state.kind === 'newer') throw newerSchema(state.unknown);
};
