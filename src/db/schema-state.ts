import { AppError } from '../error.js';
import { findUnknownMigrations, readMigrations, type UnknownMigrations, unknownSchema } from './migrate.js';
import type { Session } from './statement.js';

/** Difference between the database's schema and that of this program. */
export type SchemaState =
  | { readonly kind: 'current' }
  /** No migration was ever applied. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'older'; readonly missing: readonly string[] }
  | UnknownMigrations;

export const selectSchemaState = async (session: Pick<Session, 'run'>): Promise<SchemaState> => {
  const known = (await readMigrations()).map(({ name }) => name);
  const [table] = await session.run<{ present: boolean }>("select to_regclass('migration') is not null as present");
  const rows = table?.present ? await session.run<{ name: string }>('select name from migration order by name') : [];
  if (rows.length === 0) return { kind: 'absent' };
  const applied = rows.map(({ name }) => name);
  const unknown = findUnknownMigrations(known, applied);
  if (unknown) return unknown;
  const missing = known.filter((name) => !applied.includes(name));
  return missing.length > 0 ? { kind: 'older', missing } : { kind: 'current' };
};

/** Error code for a missing or an empty database. */
export const NO_DATABASE = 'NoDatabase';

/**
 * @param place where the database was expected: `in /srv/castellan`
 * @param setting the variable that sets the place
 */
export const noDatabase = (place: string, setting: string): AppError =>
  new AppError(
    'not_found',
    NO_DATABASE,
    `There is no database ${place}: check ${setting}. The first start of the service makes one, and so do \`castellan migrate\`, \`import\` and \`backfill\`.`,
  );

/** @throws AppError unless the database has the schema of this program */
export const requireCurrentSchema = async (session: Pick<Session, 'run'>, absent: () => AppError): Promise<void> => {
  const state = await selectSchemaState(session);
  if (state.kind === 'absent') throw absent();
  if (state.kind === 'older') {
    const message = `The database is of an older schema (it lacks ${state.missing.join(', ')}): stop services of the older version, then run \`castellan migrate\` or start the service.`;
    throw new AppError('conflict', 'OlderSchema', message);
  }
  if (state.kind !== 'current') throw unknownSchema(state);
};
