import type { Database } from '../../src/db/database.js';
import type { Session } from '../../src/db/statement.js';

/** Brings a database back to the state in which {@link prepareReset} found it. */
export type DatabaseReset = () => Promise<void>;

/** Tables with more rows are truncated: that takes as long as to delete some thousand rows. */
const MOST_DELETED_ROWS = 3_000;

/** Everything of the schema that a test might change. */
const SCHEMA = `
  select md5(string_agg(part, ';' order by part)) as digest from (
    select concat_ws(',', c.relname, c.relkind, c.relpersistence, a.attname, a.atttypid, a.attnotnull, a.atthasdef)
      from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relnamespace = 'public'::regnamespace
    union all
    select concat_ws(',', conrelid, conname, conkey, confrelid, confkey, conbin) from pg_constraint
     where connamespace = 'public'::regnamespace
    union all
    select concat_ws(',', proname, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select concat_ws(',', tgrelid, tgname, tgenabled) from pg_trigger where not tgisinternal
  ) parts (part)`;

const quoted = (table: string): string => `"${table}"`;

const sequencesOf = async (session: Session): Promise<string[]> => {
  const rows = await session.run<{ name: string }>(
    "select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace order by 1",
  );
  return rows.map(({ name }) => name);
};

/** @returns the contents of a table as JSON, in an order that does not depend on where the rows are stored */
const contentsOf = async (session: Session, table: string): Promise<string> => {
  const [row] = await session.run<{ contents: string }>(
    `select coalesce(jsonb_agg(r order by r::text), '[]')::text as contents from (select to_jsonb(t) as r from ${quoted(table)} t) rows`,
  );
  return row?.contents ?? '[]';
};

interface FilledTable {
  readonly name: string;
  /** At most one more than {@link MOST_DELETED_ROWS}. */
  readonly rows: number;
}

/** @returns the tables that have rows; only those that occupy space are read, because reading all takes a tenth of a second */
const filledTables = async (session: Session): Promise<FilledTable[]> => {
  const stored = await session.run<{ name: string }>(
    `select relname as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0 order by 1`,
  );
  const counts = stored.map(
    ({ name }) =>
      `select '${name}' as name, (select count(*)::int from (select from ${quoted(name)} limit ${MOST_DELETED_ROWS + 1}) t) as rows`,
  );
  const counted = await session.run<FilledTable>(counts.join(' union all '));
  return counted.filter(({ rows }) => rows > 0);
};

/**
 * Deletes the rows of all tables but that of the migrations. Unlike `truncate`, which takes a second for all tables, it
 * looks for those that have rows. Tables that refer to each other must be empty.
 */
export const deleteRows = async (db: Database): Promise<void> => {
  const filled = (await filledTables(db)).filter(({ name }) => name !== 'migration');
  await db.script(filled.map(({ name }) => `delete from ${quoted(name)}`).join('; '));
};

/**
 * @param db an embedded database that nothing else uses
 * @returns a function that deletes the rows of all tables that have any, writes back those that were there at the time of
 *   this call, restarts the sequences, forgets settings and statistics, drops the schema "scratch" (for tables that a test
 *   needs), and fails when anything else is different: the tables, functions and triggers, or a lock that is held
 */
export const prepareReset = async (db: Database): Promise<DatabaseReset> => {
  const sequences = await sequencesOf(db);
  const [schema] = await db.run<{ digest: string }>(SCHEMA);
  const seeds = new Map<string, string>();
  for (const { name } of await filledTables(db)) seeds.set(name, await contentsOf(db, name));

  const empty = async (): Promise<void> => {
    const dirty = await filledTables(db);
    const unchanged = new Set<string>();
    for (const [table, contents] of seeds) if ((await contentsOf(db, table)) === contents) unchanged.add(table);
    const cleared = dirty.filter(({ name }) => !unchanged.has(name));
    const large = cleared.filter(({ rows }) => rows > MOST_DELETED_ROWS).map(({ name }) => quoted(name));
    const small = cleared.filter(({ rows }) => rows <= MOST_DELETED_ROWS).map(({ name }) => quoted(name));
    // Without the triggers that check references, the order of the tables does not matter.
    await db.script('set session_replication_role = replica');
    await db.script(small.map((table) => `delete from ${table};`).join('\n'));
    if (large.length > 0) await db.script(`truncate ${large.join(', ')} cascade`);
    for (const [table, contents] of seeds) {
      if (unchanged.has(table)) continue;
      await db.run(
        `insert into ${quoted(table)} overriding system value select * from jsonb_populate_recordset(null::${quoted(table)}, $1::text::jsonb)`,
        [contents],
      );
    }
    if (small.length > 0) await db.script(`vacuum ${small.join(', ')}`);
  };

  const verify = async (): Promise<void> => {
    for (const { name } of await filledTables(db))
      if (!seeds.has(name)) throw new Error(`the table ${name} is not empty`);
    for (const [table, contents] of seeds)
      if ((await contentsOf(db, table)) !== contents)
        throw new Error(`the table ${table} has other rows than at first`);
    const [now] = await db.run<{ digest: string }>(SCHEMA);
    if (now?.digest !== schema?.digest) throw new Error('the schema of the database was changed');
  };

  return async () => {
    const locks = await db.run("select from pg_locks where locktype = 'advisory'");
    if (locks.length > 0) throw new Error('an advisory lock is still held');
    await empty();
    await db.script(`
      reset all;
      drop schema if exists scratch cascade;
      ${sequences.map((name) => `alter sequence ${quoted(name)} restart;`).join('\n')}
      delete from pg_statistic where starelid >= 16384;
      update pg_class set reltuples = -1, relpages = 0 where relnamespace = 'public'::regnamespace and reltuples >= 0;
      select pg_stat_reset();`);
    await verify();
  };
};
