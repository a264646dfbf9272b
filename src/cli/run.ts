import type { Socket } from 'node:net';
import { loadStoreConfig, type StoreConfig } from '../config/config.js';
import type { Environment } from '../config/env.js';
import type { Core } from '../core.js';
import { AppError } from '../error.js';
import { createLog, type Log } from '../log.js';
import type { Database } from '../store/database.js';
import { connectToHolder, FolderHeldError, type FolderLock, lockFolder } from '../store/lock.js';
import type { CommandDefinition } from './command.js';
import { allCommands } from './command-list.js';
import { runRemote } from './control.js';
import { serveControl } from './control-server.js';
import { type Ending, endingOf } from './failure.js';
import { createOutput, type OutputEvent } from './output.js';

type Print = (event: OutputEvent) => void;

/** Who works in the data folder: another process, or this one. */
type Access = { readonly holder: Socket } | { readonly lock: FolderLock };

async function reachFolder(folder: string): Promise<Access> {
  for (;;) {
    const holder = await connectToHolder(folder);
    if (holder) return { holder };
    try {
      return { lock: await lockFolder(folder) };
    } catch (error) {
      // Somebody took it between the two steps and can now be asked.
      if (!(error instanceof FolderHeldError)) throw error;
    }
  }
}

/** The store is much to load, and a command that runs in another process needs none of it. */
const load = () => import('../core.js');

/** Opens what a command asks for, once, and closes it. */
class LocalStore {
  readonly #config: StoreConfig;
  readonly #log: Log;
  #core: Promise<Core> | undefined;
  #database: Promise<Database> | undefined;

  constructor(config: StoreConfig, log: Log) {
    this.#config = config;
    this.#log = log;
  }

  openCore(): Promise<Core> {
    if (this.#database)
      throw new AppError('conflict', 'Busy', 'The database is being looked at: try again in a moment.');
    this.#core ??= load().then(({ openCore }) => openCore(this.#config, this.#log));
    return this.#core;
  }

  async openDatabase(): Promise<Database> {
    if (this.#core) return (await this.#core).db;
    this.#database ??= load().then(({ openDatabase }) => openDatabase(this.#config));
    return this.#database;
  }

  /** What could not be opened has been reported by whoever opened it. */
  async close(): Promise<void> {
    await (await this.#core?.catch(() => undefined))?.close();
    await (await this.#database?.catch(() => undefined))?.close();
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
  const store = new LocalStore(config, log);
  const context = { config, log, openCore: () => store.openCore(), openDatabase: () => store.openDatabase() };
  const guests = lock && serveControl(lock, allCommands, context);
  try {
    return await command.run({ ...context, signal }, input, createOutput(print));
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
    const access = await reachFolder(config.database.dataDir);
    if ('holder' in access) return await runRemote(access.holder, command.name, input, print, signal);
    return { code: await runHere(command, input, config, access.lock, print, signal) };
  } catch (error) {
    return endingOf(error, signal);
  }
}
