import { MESSAGE_COLUMNS, type MessageRow } from '../src/store/protocol/message.js';
import { importBuilt } from './build-import.js';
import { CREATE_ROW_TABLES, DROP_ROW_TABLES, ROW_TABLES, RowMeter, type RowRate } from './row-table.js';
import { type Target, withDatabase } from './target.js';

/** Pages of the table that are read and written at once: about 1,000 rows, like the pipeline's batches. */
const PAGES = 40;

const COLUMNS = {
  fid: 'bigint',
  message_set: 'smallint',
  key: 'bytea',
  type: 'smallint',
  subtype: 'smallint',
  ts: 'integer',
  hash: 'bytea',
  signer: 'bytea',
  signature: 'bytea',
  signature_scheme: 'smallint',
  data: 'bytea',
  data_form: 'smallint',
  target_fid: 'bigint',
  target_hash: 'bytea',
  void: 'boolean',
} as const;

/**
 * Inserts the rows of `message` with `unnest`, a batch in each statement: the embedded database has no COPY from a
 * client.
 * @param maxSeconds of writing, for each of the two tables
 */
export const measureInsert = async (environment: Target['environment'], maxSeconds: number): Promise<RowRate> => {
  const { bulkInsert, runRows } =
    await importBuilt<typeof import('../src/db/bulk-statement.js')>('db/bulk-statement.js');
  return withDatabase(environment, async (db) => {
    await db.script(`${DROP_ROW_TABLES}; ${CREATE_ROW_TABLES}`);
    const inserts = {
      unindexed: bulkInsert('bench_insert_unindexed', ROW_TABLES.unindexed, COLUMNS),
      indexed: bulkInsert('bench_insert_indexed', ROW_TABLES.indexed, COLUMNS),
    };
    const meters = { unindexed: new RowMeter(), indexed: new RowMeter() };
    const [size] = await db.run<{ pages: number }>(
      `select pg_relation_size('message') / current_setting('block_size')::int as pages`,
    );
    for (let page = 0; page < (size?.pages ?? 0) && meters.indexed.seconds < maxSeconds; page += PAGES) {
      const rows = await db.run<MessageRow>(
        `select ${MESSAGE_COLUMNS} from message m where ctid >= '(${page},0)' and ctid < '(${page + PAGES},0)'`,
      );
      for (const kind of ['unindexed', 'indexed'] as const) {
        await meters[kind].measure(rows.length, () => runRows(db, inserts[kind], rows));
      }
    }
    await db.script(DROP_ROW_TABLES);
    return { how: 'INSERT', unindexed: meters.unindexed.rate, indexed: meters.indexed.rate };
  });
};
