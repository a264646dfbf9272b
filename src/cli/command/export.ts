import { resolve } from 'node:path';
import type { FileFormat } from '../../ingest/file/format.js';
import type { PublicView } from '../../store/public-view.js';
import { VERSION } from '../../version.js';
import { type CommandContext, collect, collectList, defineCommand, UsageError } from '../terminal/command.js';
import type { Output } from '../terminal/output.js';
import { formatTable } from '../terminal/table.js';

const FORMATS: Readonly<Record<string, FileFormat>> = { ndjson: 'json', protobuf: 'protobuf' };
const TABLES: readonly PublicView[] = ['profiles', 'channels', 'verifications', 'casts', 'reactions', 'links'];

interface MessageInput {
  readonly file: string;
  readonly format: FileFormat;
  readonly fids?: readonly number[] | undefined;
}

interface TableInput {
  readonly folder: string;
  readonly tables: readonly PublicView[];
  readonly since?: string | undefined;
  readonly isRewrite: boolean;
}

/** @returns account numbers of `2,3 5650`. @throws UsageError for other words */
export const readFidOption = (option: string, words: readonly string[] | undefined): number[] | undefined =>
  words
    ?.flatMap((word) => word.split(/[\s,]+/))
    .filter((word) => word !== '')
    .map((word) => {
      if (/^\d{1,15}$/.test(word)) return Number(word);
      throw new UsageError(`${option} takes account numbers, not "${word}".`);
    });

/** @returns a day as it is typed. @throws UsageError for other words */
const readDay = (option: string, word: string | undefined): string | undefined => {
  if (word === undefined) return;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(word) && !Number.isNaN(Date.parse(word));
  // Of the 31st of a month that has none, `Date` makes another day.
  if (isDay && new Date(word).toISOString().startsWith(word)) return word;
  throw new UsageError(`${option} takes a day like 2026-11-29, not "${word}".`);
};

const readTables = (words: readonly string[] | undefined): readonly PublicView[] => {
  const unknown = words?.find((word) => !(TABLES as readonly string[]).includes(word));
  if (unknown !== undefined) throw new UsageError(`--table takes ${TABLES.join(', ')}, not "${unknown}".`);
  return words === undefined ? TABLES : TABLES.filter((table) => words.includes(table));
};

const exportMessages = async (
  { openDatabase, signal }: CommandContext,
  { file, format, fids }: MessageInput,
  output: Output,
): Promise<void> => {
  const [{ exportItems }, { openFileWriter }] = await Promise.all([
    import('../../ingest/file/export.js'),
    import('../../ingest/file/write.js'),
  ]);
  const db = await openDatabase();
  const writer = openFileWriter(file, format);
  const counts = { message: 0, onchain: 0, proof: 0 };
  let written = 0;
  try {
    for await (const items of exportItems(db, fids)) {
      signal.throwIfAborted();
      for (const item of items) {
        await writer.write(item);
        counts[item.kind]++;
      }
      written += items.length;
      output.progress(written, undefined, 'items');
    }
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const rows = [
    ['messages', counts.message],
    ['onchain events', counts.onchain],
    ['name proofs', counts.proof],
  ];
  const value = { file, messages: counts.message, onchain_events: counts.onchain, name_proofs: counts.proof };
  output.result(value, formatTable(['Written', 'Items'], rows));
};

const exportParquet = async (
  { openDatabase, signal }: CommandContext,
  { folder, ...chosen }: TableInput,
  output: Output,
): Promise<void> => {
  const { exportTables, lastDayOf } = await import('../../ingest/file/table-export.js');
  const db = await openDatabase();
  const now = new Date();
  const tables = await exportTables(db, folder, {
    ...chosen,
    since: chosen.since,
    now,
    createdBy: `castellan version ${VERSION}`,
    progress: (rows) => output.progress(rows, undefined, 'rows'),
    signal,
  });
  const until = lastDayOf(now);
  const lines = tables.map(({ table, files, rows, kept, removed }) => [table, files, rows, kept, removed]);
  output.result(
    { folder, until, tables: tables.map((report) => ({ ...report })) },
    formatTable(['Table', 'Files', 'Rows', 'Kept', 'Removed'], lines),
  );
  output.note(`Casts, reactions and links are there until ${until} (UTC); later days follow when they are over.`);
};

export const exportCommand = defineCommand({
  name: 'export',
  summary:
    'Write the stored messages, onchain events and name proofs to a file that `import` reads, or tables for analytics',
  examples: [
    ['castellan export all.ndjson.gz', 'write everything, compressed'],
    [
      'castellan export lake --format parquet',
      'write casts, profiles and others as Parquet files for DuckDB and Spark',
    ],
  ],
  configure: (command) =>
    command
      .argument('<file>', 'where to; compressed when its name ends in .gz; for parquet a folder')
      .option('--fid <fid>', 'only this account; may be repeated, or a list', collect)
      .option('--format <format>', 'ndjson, protobuf or parquet', 'ndjson')
      .option(
        '--table <table>',
        `for parquet: only this table (${TABLES.join(', ')}); may be repeated, or a list`,
        collectList,
      )
      .option('--since <day>', 'for parquet: no casts, reactions and links of days before this one, like 2026-11-29')
      .option('--rewrite', 'for parquet: write days again that are there'),
  input: ({ args, options, cwd }): MessageInput | TableInput => {
    const path = resolve(cwd, args[0] as string);
    const since = readDay('--since', options.since as string | undefined);
    const tables = options.table as string[] | undefined;
    if (options.format === 'parquet') {
      if (options.fid !== undefined) throw new UsageError('--fid is not for parquet, which has all accounts.');
      return { folder: path, tables: readTables(tables), since, isRewrite: options.rewrite === true };
    }
    const format = FORMATS[options.format as string];
    if (!format) throw new UsageError(`--format takes ndjson, protobuf or parquet, not "${options.format}".`);
    if (since !== undefined || tables !== undefined || options.rewrite === true)
      throw new UsageError('--table, --since and --rewrite are for --format parquet.');
    return { file: path, format, fids: readFidOption('--fid', options.fid as string[] | undefined) };
  },
  run: (context, input, output) =>
    'folder' in input ? exportParquet(context, input, output) : exportMessages(context, input, output),
});
