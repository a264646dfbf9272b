import type { ServiceCore } from '../app/service-core.js';
import type { StoreConfig } from '../config/config.js';
import { hasEmbeddedDatabase } from '../db/data-folder.js';
import type { Database } from '../db/database.js';
import { migrate } from '../db/migrate.js';
import { noDatabase, requireCurrentSchema } from '../db/schema-state.js';
import type { AppError } from '../error.js';
import type { Log } from '../log.js';
import type { CommandContext, StoreAccess } from './terminal/command.js';

// Modules that are large are loaded when needed: the database by commands that run in this process, and the pipeline of
// messages by those that use it.

/** Opens the database once for commands, and closes it. */
export class LocalStore {
  readonly #config: StoreConfig;
  readonly #log: Log;
  readonly #note: (text: string) => void;
  #database: Promise<Database> | undefined;
  #core: Promise<ServiceCore> | undefined;

  /** @param note called when a database was created */
  constructor(config: StoreConfig, log: Log, note: (text: string) => void) {
    this.#config = config;
    this.#log = log;
    this.#note = note;
  }

  /** @returns the context of a command with this access */
  contextFor(use: StoreAccess): Omit<CommandContext, 'isRemote' | 'signal'> {
    return {
      config: this.#config,
      log: this.#log,
      openDatabase: () => this.#openDatabase(use),
      openCore: () => this.#openCore(use),
    };
  }

  /** Errors of opening have already been reported. */
  async close(): Promise<void> {
    const core = await this.#core?.catch(() => undefined);
    if (core) await core.close();
    else await (await this.#database?.catch(() => undefined))?.close();
  }

  async #openDatabase(use: StoreAccess): Promise<Database> {
    if (use !== 'create' && this.#database === undefined && !this.#isThere()) throw this.#absent();
    this.#database ??= this.#open();
    const db = await this.#database;
    if (use === 'use') await requireCurrentSchema(db, () => this.#absent());
    return db;
  }

  async #openCore(use: StoreAccess): Promise<ServiceCore> {
    const db = await this.#openDatabase(use);
    if (use === 'create') await migrate(db);
    this.#core ??= import('../app/service-core.js').then(({ createCore }) => createCore(db, this.#config, this.#log));
    return this.#core;
  }

  async #open(): Promise<Database> {
    const isNew = !this.#isThere();
    const { openDatabase } = await import('../db/open-database.js');
    const db = await openDatabase(this.#config);
    if (isNew) this.#note(`A new database was made in ${this.#config.dataDir}.`);
    return db;
  }

  /** Whether a server's database is empty is only known after a query. */
  #isThere(): boolean {
    const { database } = this.#config;
    return 'url' in database || hasEmbeddedDatabase(database.dataDir);
  }

  #absent(): AppError {
    const { database } = this.#config;
    return 'url' in database
      ? noDatabase('of Castellan where DATABASE_URL leads', 'DATABASE_URL')
      : noDatabase(`in ${database.dataDir}`, 'CASTELLAN_DATA_DIR');
  }
}
