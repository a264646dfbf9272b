import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../db/database.js';
import { DAY_MS, HOUR_MS } from '../../duration.js';
import { AppError } from '../../error.js';
import {
  openPublicView,
  PUBLIC_VIEWS,
  type PublicView,
  type PublicViewReader,
  selectFirstTime,
  type TimeRange,
} from '../../store/public-view.js';
import { createParquetWriting, type ParquetWriting } from './parquet.js';

/** Rows of one statement: the embedded database answers nothing else meanwhile. */
const PAGE = 500;
/** A day is exported when it has been over for this long: messages are accepted some time after they were made. */
const GRACE_MS = HOUR_MS;
const FILE = 'part-0001.parquet';
const PARTIAL = '_partial-';
const DAY_FOLDER = /^day=(\d{4}-\d\d-\d\d)$/;

/** What an export did with one table. */
export interface TableReport {
  readonly table: PublicView;
  /** Files that were written, and their rows. */
  readonly files: number;
  readonly rows: number;
  /** Files of days that were there and were left as they are. */
  readonly kept: number;
  /** Files of days of which the view shows nothing any more. */
  readonly removed: number;
}

export interface TableExport {
  readonly tables: readonly PublicView[];
  /** The first day, `2026-11-29`, of what is exported by day; undefined: the earliest. */
  readonly since: string | undefined;
  /** Whether days that are there are written again. */
  readonly isRewrite: boolean;
  readonly now: Date;
  /** The program and its version, for the files. */
  readonly createdBy: string;
  /** Is called with the rows that were written. */
  readonly progress: (rows: number) => void;
  readonly signal: AbortSignal;
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
const after = (time: Date): Date => new Date(time.getTime() + DAY_MS);

/** @returns the end of the last day that is exported */
const endOf = (now: Date): Date => new Date(Math.floor((now.getTime() - GRACE_MS) / DAY_MS) * DAY_MS);

/** @returns the last day that an export contains: the latest that was over an hour ago (UTC) */
export const lastDayOf = (now: Date): string => dayOf(new Date(endOf(now).getTime() - DAY_MS));

/** @returns days with a file, which is whole. Files that an export left unfinished are deleted. */
const prepareFolder = async (folder: string): Promise<Set<string>> => {
  await mkdir(folder, { recursive: true });
  const days = new Set<string>();
  for (const name of await readdir(folder)) {
    if (name.startsWith(PARTIAL)) await rm(join(folder, name), { force: true });
    const day = DAY_FOLDER.exec(name)?.[1];
    if (day !== undefined && (await readdir(join(folder, name))).includes(FILE)) days.add(day);
  }
  return days;
};

const removeDay = async (folder: string, day: string): Promise<void> => {
  await rm(join(folder, `day=${day}`, FILE));
  // Whatever else is in it is not ours.
  await rmdir(join(folder, `day=${day}`)).catch(() => undefined);
};

/** Writes one table. */
const createTableWriter = (
  db: Database,
  writing: ParquetWriting,
  view: PublicViewReader,
  folder: string,
  { createdBy, signal }: TableExport,
  counted: (rows: number) => void,
) => {
  const writeRows = async (range: TimeRange | undefined): Promise<number> => {
    let rows = 0;
    let page = await view.page(range, undefined, PAGE);
    while (page.length > 0) {
      signal.throwIfAborted();
      // The next page is read while the thread encodes this one.
      const next = page.length < PAGE ? Promise.resolve([]) : view.page(range, page.at(-1), PAGE);
      const [read] = await Promise.all([next, writing.append(view.columns, page)]);
      rows += page.length;
      counted(page.length);
      page = read;
    }
    return rows;
  };
  return {
    /**
     * Writes a file, which has its name when it is whole.
     * @returns its rows; without rows, there is no file of a day
     */
    write: async (target: string, range?: TimeRange): Promise<number> => {
      const partial = join(folder, `${PARTIAL}${randomBytes(4).toString('hex')}`);
      try {
        await writing.open({ file: partial, columns: view.columns, createdBy });
        const rows = await writeRows(range);
        await writing.close();
        if (rows === 0 && range !== undefined) return 0;
        await mkdir(target, { recursive: true });
        await rename(partial, join(target, FILE));
        return rows;
      } finally {
        await rm(partial, { force: true });
      }
    },
    firstTime: (table: PublicView, range: TimeRange): Promise<Date | undefined> => selectFirstTime(db, table, range),
  };
};
type TableWriter = ReturnType<typeof createTableWriter>;

const exportDays = async (
  table: PublicView,
  writer: TableWriter,
  folder: string,
  present: ReadonlySet<string>,
  { since, isRewrite, now, signal }: TableExport,
): Promise<TableReport> => {
  const report = { table, files: 0, rows: 0, kept: 0, removed: 0 };
  const end = endOf(now);
  const remove = async (day: string): Promise<void> => {
    await removeDay(folder, day);
    report.removed += 1;
  };
  for (let first = new Date(since ?? 0); first < end; ) {
    signal.throwIfAborted();
    const time = await writer.firstTime(table, { first, end });
    const start = time === undefined ? end : new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);
    if (isRewrite) for (const day of present) if (day >= dayOf(first) && day < dayOf(start)) await remove(day);
    if (time === undefined) break;
    const day = dayOf(start);
    first = after(start);
    if (present.has(day) && !isRewrite) {
      report.kept += 1;
      continue;
    }
    const rows = await writer.write(join(folder, `day=${day}`), { first: start, end: first });
    if (rows > 0) report.files += 1;
    else if (present.has(day)) await remove(day);
    report.rows += rows;
  }
  return report;
};

const explain = (folder: string, error: unknown): unknown => {
  // Errors of the thread have lost their code.
  const { message } = error as Error;
  if (!/^E[A-Z]+: /.test(message)) return error;
  const text = `The files in ${folder} could not be written: ${message}. Those that are there are whole; run the command again to go on.`;
  return new AppError('conflict', 'FileNotWritten', text, { cause: error });
};

/**
 * Writes the views of `castellan_public` as Parquet files: `<folder>/casts/day=2026-11-29/part-0001.parquet` for those with
 * messages, for each day (UTC) that was over an hour ago; `<folder>/profiles/part-0001.parquet` for those that show a
 * state, each time anew. A file that exists is whole; an export that ended early goes on with the days that are missing.
 * Rows are read in pages, each as of the time at which it is read. Encodes in a thread of its own.
 * @param folder absolute path; is created
 * @throws AppError when a file cannot be written; what `signal` was aborted with
 */
export const exportTables = async (
  db: Database,
  folder: string,
  options: TableExport,
): Promise<readonly TableReport[]> => {
  const writing = createParquetWriting();
  let total = 0;
  const counted = (rows: number): void => {
    total += rows;
    options.progress(total);
  };
  const reports: TableReport[] = [];
  try {
    for (const table of options.tables) {
      const tableFolder = join(folder, table);
      const present = await prepareFolder(tableFolder);
      const view = await openPublicView(db, table);
      const writer = createTableWriter(db, writing, view, tableFolder, options, counted);
      if (PUBLIC_VIEWS[table].isByDay) reports.push(await exportDays(table, writer, tableFolder, present, options));
      else reports.push({ table, files: 1, rows: await writer.write(tableFolder), kept: 0, removed: 0 });
    }
    return reports;
  } catch (error) {
    throw explain(folder, error);
  } finally {
    await writing.end();
  }
};
