import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadStoreConfig } from '../../config/config.js';
import { collect, defineCommand, UsageError } from '../terminal/command.js';
import { readFidOption } from './export.js';

const readFidsFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').replace(/#.*$/gm, '');
  } catch (error) {
    throw new UsageError(`--fids-file: ${path} cannot be read: ${(error as Error).message}.`);
  }
};

export const backfillCommand = defineCommand({
  name: 'backfill',
  store: 'create',
  summary: 'Load accounts with all their messages from a hub; without --fids it goes on where it was interrupted',
  examples: [
    ['castellan backfill --hub grpcs://hub.example:2283', 'load all accounts that the hub has'],
    ['castellan backfill --fids 2,3,5650', 'load three accounts from the hub of CASTELLAN_HUB_URL'],
  ],
  configure: (command) =>
    command
      .option('--hub <address>', 'grpc://host:port or grpcs://host:port (default: CASTELLAN_HUB_URL)')
      .option('--fids <list>', 'only these accounts (default: all, or those of partial mode)', collect)
      .option('--fids-file <file>', 'only the accounts listed in this file'),
  input: ({ options, cwd, environment }) => {
    const typed = options.hub === undefined ? {} : { CASTELLAN_HUB_URL: options.hub as string };
    const words = [
      ...((options.fids as string[] | undefined) ?? []),
      ...(options.fidsFile === undefined ? [] : [readFidsFile(resolve(cwd, options.fidsFile as string))]),
    ];
    return {
      hub: loadStoreConfig({ ...environment, ...typed }).hub,
      fids: words.length === 0 ? undefined : readFidOption('--fids', words),
    };
  },
  run: async ({ config, openCore, log, signal }, { hub, fids }, output) => {
    const address = hub ?? config.hub;
    if (!address)
      throw new UsageError(
        'No hub to load from: name one with --hub or CASTELLAN_HUB_URL, like grpc://hub.example:2283.',
      );
    const { syncFromHub } = await import('../../ingest/hub/requested-sync.js');
    const { db, ingest, filter } = await openCore();
    const { refused } = await syncFromHub({
      address,
      db,
      ingest,
      log,
      signal,
      ...(filter ? { filter } : {}),
      ...(fids ? { fids } : {}),
      onProgress: (done, total) => output.progress(done, total, 'accounts'),
    });
    const text =
      refused === 0
        ? `Everything that ${address.address} has of these accounts is stored.`
        : `${refused} accounts could not be read; the next backfill tries them again.`;
    output.result({ hub: address.address, unread_accounts: refused }, text);
    return refused === 0 ? 0 : 1;
  },
});
