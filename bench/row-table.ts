/** Rows a second that an otherwise idle database stores. */
export interface RowRate {
  readonly how: string;
  readonly unindexed: number;
  readonly indexed: number;
}

/** The tables for rows of `message`: one without, one with its indexes. */
export const ROW_TABLES = { unindexed: 'bench_row', indexed: 'bench_row_indexed' } as const;

export const CREATE_ROW_TABLES = `
  create table ${ROW_TABLES.unindexed} (like message including defaults);
  create table ${ROW_TABLES.indexed} (like message including defaults including indexes)`;

export const DROP_ROW_TABLES = `drop table if exists ${Object.values(ROW_TABLES).join(', ')}`;

/** Adds up the time of writing, without the time in between. */
export class RowMeter {
  #rows = 0;
  #milliseconds = 0;

  async measure(rows: number, write: () => Promise<unknown>): Promise<void> {
    const started = performance.now();
    await write();
    this.#milliseconds += performance.now() - started;
    this.#rows += rows;
  }

  get seconds(): number {
    return this.#milliseconds / 1000;
  }

  get rate(): number {
    return this.#rows / this.seconds;
  }
}
