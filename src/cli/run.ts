import type { Socket } from 'node:net';
import { loadStoreConfig, type StoreConfig } from '../config/config.js';
import type { Environment } from '../config/env.js';
import { createLog } from '../log.js';
import { hasEmbeddedDatabase } from '../db/data-folder.js';
import { connectToHolder, FolderHeldError, type FolderLock, lockFolder } from '../db/lock.js';
import type { CommandDefinition, StoreUse } from './command.js';
import { allCommands } from './command-list.js';
import { runRemote } from './control/client.js';
import { serveControl } from './control/server.js';
import { type Ending, endingOf } from './terminal/exit-result.js';
import { LocalStore } from './local-store.js';
import { createOutput, type OutputEvent } from './terminal/output.js';

type Print = (event: OutputEvent) => void;

/** Who works in the data folder: another process, this one, or nobody, because there is no database in it. */
type Access = { readonly holder: Socket } | { readonly lock: FolderLock | undefined };

async function reachFolder(folder: string, use: StoreUse): Promise<Access> {
  for (;;) {
    const holder = await connectToHolder(folder);
    if (holder) return { holder };
    // Taking the lock would make the folder.
    if (use !== 'create' && !hasEmbeddedDatabase(folder)) return { lock: undefined };
    try {
      return { lock: await lockFolder(folder) };
    } catch (error) {
      // Somebody took it between the two steps and can now be asked.
      if (!(error instanceof FolderHeldError)) throw error;
    }
  }
}

/** Runs the command in this process; others that find the folder held meanwhile run in it as guests. */
async function runHere(
  command: CommandDefinition,
  input: unknown,
  config: StoreConfig,
  lock: FolderLock | undefined,
  print: Print,
  signal: AbortSignal,
): Promise<number> {
  // A log would mix with the answer: only who asks for LOG_LEVEL=debug gets one.
  const log = createLog(config.logLevel === 'debug' || config.logLevel === 'trace' ? config.logLevel : 'silent');
  const output = createOutput(print);
  const store = new LocalStore(config, log, output.note);
  const guests = lock && serveControl(lock, allCommands, (guest) => store.contextFor(guest.store));
  try {
    return await command.run({ ...store.contextFor(command.store), signal }, input, output);
  } finally {
    await guests?.idle();
    await store.close();
    await lock?.release();
  }
}

/**
 * Runs a command where the data is: inside the process that holds the embedded database's folder, or here when
 * nobody holds it or the data is on a PostgreSQL server.
 */
export async function runCommand(
  command: CommandDefinition,
  input: unknown,
  environment: Environment,
  print: Print,
  signal: AbortSignal,
): Promise<Ending> {
  try {
    const config = loadStoreConfig(environment);
    if ('url' in config.database) return { code: await runHere(command, input, config, undefined, print, signal) };
    const access = await reachFolder(config.database.dataDir, command.store);
    if ('holder' in access) return await runRemote(access.holder, command.name, input, print, signal);
    return { code: await runHere(command, input, config, access.lock, print, signal) };
  } catch (error) {
    return endingOf(error, signal);
  }
}
