import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { CREATE_ROW_TABLES, DROP_ROW_TABLES, ROW_TABLES, RowMeter, type RowRate } from './row-table.js';

/** Pages of the table that are read into memory at once, about 100,000 rows. */
const PAGES = 5_000;

/**
 * Copies the rows of `message` in the order of their arrival, in parts: each is read into memory and then written with
 * binary COPY. Only writing is timed.
 * @param maxSeconds of writing, for each of the two tables
 */
export const measureCopy = async (url: string, maxSeconds: number): Promise<RowRate> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`${DROP_ROW_TABLES}; ${CREATE_ROW_TABLES}`);
    const meters = { unindexed: new RowMeter(), indexed: new RowMeter() };
    for await (const part of readDependencies(client)) {
      for (const kind of ['unindexed', 'indexed'] as const) {
        const meter = meters[kind];
        if (meter.seconds > maxSeconds) continue;
        await meter.measure(part.rows, () =>
          pipeline(part.chunks, client.query(copyFrom(`copy ${ROW_TABLES[kind]} from stdin (format binary)`))),
        );
      }
      if (meters.indexed.seconds > maxSeconds) break;
    }
    return { how: 'COPY', unindexed: meters.unindexed.rate, indexed: meters.indexed.rate };
  } finally {
    await client.query(DROP_ROW_TABLES);
    await client.end();
  }
};

interface Part {
  readonly rows: number;
  readonly chunks: readonly Buffer[];
}

async function* readDependencies(client: pg.Client): AsyncGenerator<Part> {
  const size = await client.query(`select pg_relation_size('message') / current_setting('block_size')::int as pages`);
  const pages = Number(size.rows[0]?.pages);
  for (let page = 0; page < pages; page += PAGES) {
    const query = `select * from message where ctid >= '(${page},0)' and ctid < '(${page + PAGES},0)'`;
    const stream = client.query(copyTo(`copy (${query}) to stdout (format binary)`));
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
    yield { rows: stream.rowCount, chunks };
  }
}
