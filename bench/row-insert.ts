import type { MessageRow } from '../src/store/message.js';
import { importBuilt } from './build-import.js';
import { CREATE_ROW_TABLES, DROP_ROW_TABLES, ROW_TABLES, RowMeter, type RowRate } from './row-table.js';
import { type Target, withDatabase } from './target.js';

/** Pages of the table that are read and written at a time: about 1,000 rows, as the pipeline writes them. */
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
 * Inserts the rows of `message` by `unnest`, a batch a statement: the embedded database has no COPY from a client.
 * @param mostSeconds of writing, for each of the two tables
 */
export async function measureInsert(environment: Target['environment'], mostSeconds: number): Promise<RowRate> {
  const { insertRows } = await importBuilt<typeof import('../src/store/bulk.js')>('store/bulk.js');
  return withDatabase(environment, async (db) => {
    await db.script(`${DROP_ROW_TABLES}; ${CREATE_ROW_TABLES}`);
    const meters = { unindexed: new RowMeter(), indexed: new RowMeter() };
    const [size] = await db.run<{ pages: number }>(
      `select pg_relation_size('message') / current_setting('block_size')::int as pages`,
    );
    for (let page = 0; page < (size?.pages ?? 0) && meters.indexed.seconds < mostSeconds; page += PAGES) {
      const rows = await db.run<MessageRow>(
        `select * from message where ctid >= '(${page},0)' and ctid < '(${page + PAGES},0)'`,
      );
      for (const kind of ['unindexed', 'indexed'] as const) {
        await meters[kind].measure(rows.length, () => insertRows(db, ROW_TABLES[kind], COLUMNS, rows));
      }
    }
    await db.script(DROP_ROW_TABLES);
    return { how: 'INSERT', unindexed: meters.unindexed.rate, indexed: meters.indexed.rate };
  });
}
