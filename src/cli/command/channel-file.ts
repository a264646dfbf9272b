import { createWriteStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { defineCommand } from '../terminal/command.js';

export const channelImportCommand = defineCommand({
  name: 'channel import',
  summary: 'Read names, images, leads, members and followers of channels from a file, as `import --channels` does',
  examples: [
    ['castellan channel import channels.json', 'read a list of channels'],
    ["castellan channel import channels.json --json | jq '.kept'", 'print the ids that were left as they are'],
  ],
  configure: (command) => command.argument('<file>', 'JSON of `channel export`, or a public list (docs/channels.md)'),
  input: ({ args, cwd }) => ({ file: resolve(cwd, String(args[0])) }),
  run: async ({ openCore }, { file }, output) => {
    const [{ importChannels }, { unreadableFile }] = await Promise.all([
      import('../../ingest/file/channel-import.js'),
      import('../../ingest/file/unreadable-file.js'),
    ]);
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      throw unreadableFile(file, error);
    });
    const { db, changed } = await openCore();
    const report = await importChannels(db, text, changed);
    output.result({ file, ...report });
    output.note(`${report.channels} channels and ${report.members} members stored.`);
    if (report.kept.length > 0) {
      output.note(`Left as they are, because another source decides about them: ${report.kept.join(', ')}.`);
    }
  },
});

export const channelExportCommand = defineCommand({
  name: 'channel export',
  summary: 'Write channels with their members and followers to a file that `channel import` reads',
  examples: [
    ['castellan channel export channels.json', 'write all channels'],
    ['castellan channel export some.json garden kitchen', 'write two of them'],
  ],
  configure: (command) => command.argument('<file>', 'where to').argument('[id...]', 'only these channels'),
  input: ({ args, cwd }) => ({
    file: resolve(cwd, String(args[0])),
    ids: args[1] as readonly string[] | undefined,
  }),
  run: async ({ openDatabase, signal }, { file, ids }, output) => {
    const { exportChannels } = await import('../../channel/export.js');
    const db = await openDatabase();
    const part = `${file}.part`;
    try {
      const pieces = exportChannels(db, ids === undefined || ids.length === 0 ? undefined : ids);
      await pipeline(Readable.from(pieces), createWriteStream(part), { signal });
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    output.result({ file });
    output.note(`The channels are in ${file}.`);
  },
});
