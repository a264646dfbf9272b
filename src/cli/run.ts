import type { Socket } from 'node:net';
import { loadStoreConfig, type StoreConfig } from '../config/config.js';
import type { Environment } from '../config/env.js';
import { hasEmbeddedDatabase } from '../db/data-folder.js';
import { connectToLockOwner, type FolderLock, FolderLockedError, lockFolder } from '../db/lock.js';
import { createLog } from '../log.js';
import { allCommands } from './command-list.js';
import { runRemote } from './control/client.js';
import { refuseControl, serveControl } from './control/server.js';
import { LocalStore } from './local-store.js';
import type { CommandDefinition, StoreAccess, TypedCommand } from './terminal/command.js';
import { type ExitResult, exitResultOf } from './terminal/exit-result.js';
import { createOutput, type OutputEvent } from './terminal/output.js';

type Print = (event: OutputEvent) => void;

/** Owner of the data folder: another process, this one, or none if it has no database. */
type Access = { readonly holder: Socket } | { readonly lock: FolderLock | undefined };

const reachFolder = async (folder: string, use: StoreAccess): Promise<Access> => {
  for (;;) {
    const holder = await connectToLockOwner(folder);
    if (holder) return { holder };
    // Taking the lock would create the folder.
    if (use !== 'create' && !hasEmbeddedDatabase(folder)) return { lock: undefined };
    try {
      return { lock: await lockFolder(folder) };
    } catch (error) {
      // Another process took the lock between the two steps and now runs commands.
      if (!(error instanceof FolderLockedError)) throw error;
    }
  }
};

/** Runs the command in this process, together with commands of other processes that find the folder locked. */
const runHere = async (
  command: CommandDefinition,
  { input, isJson }: TypedCommand,
  config: StoreConfig,
  lock: FolderLock | undefined,
  print: Print,
  signal: AbortSignal,
): Promise<number> => {
  // Logs would mix with the output, so they are enabled only by CASTELLAN_LOG_LEVEL=debug.
  const log = createLog(config.logLevel === 'debug' || config.logLevel === 'trace' ? config.logLevel : 'silent');
  const output = createOutput(print, isJson);
  const store = new LocalStore(config, log, output.note);
  const guests =
    lock && !command.isAlone ? serveControl(lock, allCommands, (guest) => store.contextFor(guest.store)) : undefined;
  if (lock && command.isAlone)
    refuseControl(
      lock,
      `castellan ${command.name} is running on ${config.dataDir}, and needs it alone: wait until it has ended.`,
    );
  try {
    return (await command.run({ ...store.contextFor(command.store), isRemote: false, signal }, input, output)) || 0;
  } finally {
    await guests?.idle();
    await store.close();
    await lock?.release();
  }
};

/**
 * Runs a command where the data is: inside the process that holds the folder of the embedded database, or here if no
 * process holds it or the database is a server.
 */
export const runCommand = async (
  command: CommandDefinition,
  typed: Omit<TypedCommand, 'command'>,
  environment: Environment,
  print: Print,
  signal: AbortSignal,
): Promise<ExitResult> => {
  try {
    const config = loadStoreConfig(environment);
    const sent = { command: command.name, ...typed };
    if ('url' in config.database) return { code: await runHere(command, sent, config, undefined, print, signal) };
    const access = await reachFolder(config.database.dataDir, command.store);
    if ('holder' in access) return await runRemote(access.holder, sent, print, signal);
    return { code: await runHere(command, sent, config, access.lock, print, signal) };
  } catch (error) {
    return exitResultOf(error, signal);
  }
};
