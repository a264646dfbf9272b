import type { StoreConfig } from '../config/config.js';
import type { Core } from '../service-core.js';
import type { AppError } from '../error.js';
import type { Log } from '../log.js';
import { hasEmbeddedDatabase } from '../db/data-folder.js';
import type { Database } from '../store/database.js';
import { migrate } from '../store/migrate.js';
import { noDatabase, requireCurrentSchema } from '../db/schema-state.js';
import type { CommandContext, StoreUse } from './command.js';

/** The store is much to load, and a command that runs in another process needs none of it. */
const load = () => import('../service-core.js');

/** Opens what commands ask for, once, and closes it. */
export class LocalStore {
  readonly #config: StoreConfig;
  readonly #log: Log;
  readonly #note: (text: string) => void;
  #database: Promise<Database> | undefined;
  #core: Promise<Core> | undefined;

  /** @param note tells a person that a database was made. */
  constructor(config: StoreConfig, log: Log, note: (text: string) => void) {
    this.#config = config;
    this.#log = log;
    this.#note = note;
  }

  /** @returns what a command works with that uses the store in this way. */
  contextFor(use: StoreUse): Omit<CommandContext, 'signal'> {
    return {
      config: this.#config,
      log: this.#log,
      openDatabase: () => this.#openDatabase(use),
      openCore: () => this.#openCore(use),
    };
  }

  /** What could not be opened has been reported by whoever opened it. */
  async close(): Promise<void> {
    const core = await this.#core?.catch(() => undefined);
    if (core) await core.close();
    else await (await this.#database?.catch(() => undefined))?.close();
  }

  async #openDatabase(use: StoreUse): Promise<Database> {
    if (use !== 'create' && this.#database === undefined && !this.#isThere()) throw this.#absent();
    this.#database ??= this.#open();
    const db = await this.#database;
    if (use === 'use') await requireCurrentSchema(db, () => this.#absent());
    return db;
  }

  async #openCore(use: StoreUse): Promise<Core> {
    const db = await this.#openDatabase(use);
    if (use === 'create') await migrate(db);
    this.#core ??= load().then(({ createCore }) => createCore(db, this.#config, this.#log));
    return this.#core;
  }

  async #open(): Promise<Database> {
    const isNew = !this.#isThere();
    const { openDatabase } = await load();
    const db = await openDatabase(this.#config);
    if (isNew) this.#note(`A new database was made in ${this.#config.dataDir}.`);
    return db;
  }

  /** A server's database is there; whether it is empty shows when it is asked. */
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
