import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { serialize } from 'pg-protocol';
import { openEmbedded } from '../src/db/embedded/embedded.js';
import { openEngine } from '../src/db/embedded/engine.js';
import { migrate } from '../src/db/migrate.js';
import { TABLE_COLUMNS, type TableColumn } from './column-type.js';

/** A column of a result. */
export interface DescribedColumn {
  readonly name: string;
  /** Name in `pg_type`. */
  readonly type: string;
  /** The table's column that it is, unchanged; undefined: it is computed. */
  readonly origin: TableColumn | undefined;
}

/** What PostgreSQL says of a statement without running it. */
export interface Description {
  /** Names in `pg_type`. */
  readonly params: readonly string[];
  /** Empty: it returns no rows. */
  readonly columns: readonly DescribedColumn[];
}

export interface Describer {
  readonly tables: ReadonlySet<string>;
  /** All columns, by `table.column`. */
  readonly columns: ReadonlyMap<string, TableColumn>;
  /** @throws Error with PostgreSQL's message when it does not accept the text */
  describe(text: string): Promise<Description>;
  close(): Promise<void>;
}

/** A message of PostgreSQL in answer to Parse and Describe. */
interface Answer {
  readonly name: string;
  readonly message?: string;
  readonly dataTypeIDs?: readonly number[];
  readonly fields?: readonly {
    readonly name: string;
    readonly tableID: number;
    readonly columnID: number;
    readonly dataTypeID: number;
  }[];
}

/** @source "Extended Query" in PostgreSQL's manual, section "Message Flow" */
const send = async (engine: PGlite, text: string): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (const message of [serialize.parse({ text }), serialize.describe({ type: 'S' })]) {
    const { messages } = await engine.execProtocol(message, { throwOnError: false });
    answers.push(...(messages as unknown as Answer[]));
  }
  await engine.execProtocol(serialize.sync());
  return answers;
};

/** Opens an empty database with all tables, on which statements can be described. */
export const openDescriber = async (): Promise<Describer> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'castellan-describe-'));
  const database = await openEmbedded({ dataDir });
  await migrate(database);
  await database.close();
  const engine = await openEngine(dataDir);
  const { rows: columns } = await engine.query<TableColumn>(TABLE_COLUMNS);
  const { rows: types } = await engine.query<{ oid: number; name: string }>('select oid, typname as name from pg_type');
  const origins = new Map(columns.map((column) => [column.key, column]));
  const typeNames = new Map(types.map(({ oid, name }) => [oid, name]));
  const typeName = (oid: number): string => typeNames.get(oid) ?? 'text';
  return {
    tables: new Set(columns.map(({ table }) => table)),
    columns: new Map(columns.map((one) => [`${one.table}.${one.column}`, one])),
    describe: async (text) => {
      const answers = await send(engine, text);
      const failure = answers.find(({ name }) => name === 'error');
      if (failure !== undefined) throw new Error(failure.message);
      const params = answers.find(({ dataTypeIDs }) => dataTypeIDs)?.dataTypeIDs ?? [];
      const fields = answers.find((answer) => answer.fields)?.fields ?? [];
      return {
        params: params.map(typeName),
        columns: fields.map(({ name, tableID, columnID, dataTypeID }) => ({
          name,
          type: typeName(dataTypeID),
          origin: origins.get(`${tableID}.${columnID}`),
        })),
      };
    },
    close: async () => {
      await engine.close();
      await rm(dataDir, { recursive: true });
    },
  };
};
