import { fileURLToPath } from 'node:url';
import { Tinypool } from 'tinypool';
import type { PublicColumn, PublicRow } from '../../store/public-view.js';
import { appendParquet, type ColumnValues, closeParquet, openParquet, type ParquetTask } from './parquet-thread.js';

/** The thread runs the build, also when the service is run from its sources. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/ingest/file/parquet-thread.js' : './parquet-thread.js',
  import.meta.url,
);

/** Writes Parquet files, one after the other. */
export interface ParquetWriting {
  /** Begins a new file. */
  open(task: ParquetTask): Promise<void>;
  append(columns: readonly PublicColumn[], rows: readonly PublicRow[]): Promise<void>;
  /** Ends the file, which is on the disk then. */
  close(): Promise<void>;
  /** Ends the thread. */
  end(): Promise<void>;
}

/** @returns a writer with a thread of its own: encoding a row group takes longer than requests may wait */
export const createParquetWriting = (): ParquetWriting => {
  const pool = new Tinypool({
    filename: fileURLToPath(THREAD),
    minThreads: 1,
    maxThreads: 1,
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 },
  });
  return {
    open: (task) => pool.run(task, { name: openParquet.name }),
    append: (columns, rows) => {
      const values: ColumnValues = columns.map(({ name }) => rows.map((row) => row[name]));
      return pool.run(values, { name: appendParquet.name });
    },
    close: () => pool.run(undefined, { name: closeParquet.name }),
    end: () => pool.destroy(),
  };
};
