import { resolve } from 'node:path';
import type { FileFormat } from '../../ingest/file/format.js';
import { collect, defineCommand, UsageError } from '../terminal/command.js';
import { formatTable } from '../terminal/table.js';

const FORMATS: Readonly<Record<string, FileFormat>> = { ndjson: 'json', protobuf: 'protobuf' };

/** @returns account numbers of `2,3 5650`. @throws UsageError for other words */
export const readFidOption = (option: string, words: readonly string[] | undefined): number[] | undefined =>
  words
    ?.flatMap((word) => word.split(/[\s,]+/))
    .filter((word) => word !== '')
    .map((word) => {
      if (/^\d{1,15}$/.test(word)) return Number(word);
      throw new UsageError(`${option} takes account numbers, not "${word}".`);
    });

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Write the stored messages, onchain events and name proofs to a file that `import` reads',
  examples: [
    ['castellan export all.ndjson.gz', 'write everything, compressed'],
    ['castellan export some.pb --format protobuf --fid 2,3', 'write two accounts as protobuf'],
  ],
  configure: (command) =>
    command
      .argument('<file>', 'where to; compressed when its name ends in .gz')
      .option('--fid <fid>', 'only this account; may be repeated, or a list', collect)
      .option('--format <format>', 'ndjson or protobuf', 'ndjson'),
  input: ({ args, options, cwd }) => {
    const format = FORMATS[options.format as string];
    if (!format) throw new UsageError(`--format takes ndjson or protobuf, not "${options.format}".`);
    const fids = readFidOption('--fid', options.fid as string[] | undefined);
    return { file: resolve(cwd, args[0] as string), format, fids };
  },
  run: async ({ openDatabase, signal }, { file, format, fids }, output) => {
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
  },
});
