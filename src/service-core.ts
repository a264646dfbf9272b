import { mkdir } from 'node:fs/promises';
import { FarcasterNetwork } from '@farcaster/core';
import type { HubNetwork, StoreConfig } from './config/config.js';
import { createFidFilter, type FidFilter } from './ingest/fid-filter.js';
import { createIngest, type Ingest, type IngestParts } from './ingest/pipeline.js';
import type { Log } from './log.js';
import { createVerifyPool, type VerifyPool } from './protocol/verify/pool.js';
import type { Invalidation } from './store/change.js';
import { embeddedFolder } from './db/data-folder.js';
import type { Database } from './store/database.js';
import { openEmbedded } from './db/embedded.js';
import { migrate } from './store/migrate.js';
import { openPostgres } from './db/postgres.js';

const NETWORKS: Readonly<Record<HubNetwork, FarcasterNetwork>> = {
  mainnet: FarcasterNetwork.MAINNET,
  testnet: FarcasterNetwork.TESTNET,
  devnet: FarcasterNetwork.DEVNET,
};

/** What every command and the service itself stand on: the store, and the way into it. */
export interface Core {
  readonly db: Database;
  readonly ingest: Ingest;
  /** Checks wire bytes without storing anything. */
  readonly verify: VerifyPool['verify'];
  readonly network: FarcasterNetwork;
  /** Partial mode; undefined: everything is indexed. */
  readonly filter: FidFilter | undefined;
  /** Tells the caches of this process, where there are any, what was written beside the pipeline. */
  readonly changed: (invalidation: Invalidation) => void;
  /** Commits what was submitted, then closes everything. */
  close(): Promise<void>;
}

/**
 * Opens the database that the configuration names; the embedded one is made where there is none. It must be locked by
 * the caller (`src/store/lock.ts`) before; nothing is migrated here.
 */
export const openDatabase = async (config: StoreConfig): Promise<Database> => {
  if ('url' in config.database) {
    return openPostgres({ url: config.database.url.reveal(), poolSize: config.databasePoolSize });
  }
  const dataDir = embeddedFolder(config.database.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return openEmbedded({ dataDir });
};

/** What the service wants to hear of each commit; commands need none of it. */
type CoreHooks = Pick<IngestParts, 'onCommit' | 'onBatch'>;

/** Opens the database, migrates it and builds what stands on it. */
export const openCore = async (config: StoreConfig, log: Log, hooks: CoreHooks = {}): Promise<Core> => {
  const db = await openDatabase(config);
  try {
    await migrate(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  return createCore(db, config, log, hooks);
};

/** @param db has the schema of this version; closed with the core. */
export const createCore = (db: Database, config: StoreConfig, log: Log, hooks: CoreHooks = {}): Core => {
  const network = NETWORKS[config.hubNetwork];
  const pool = createVerifyPool({ threads: config.verifyThreads, network, log });
  const filter = config.fids && createFidFilter(config.fids);
  const ingest = createIngest({
    db,
    network,
    log,
    verify: pool.verify,
    ...(filter ? { isIndexed: filter.accepts } : {}),
    ...hooks,
  });
  return {
    db,
    ingest,
    verify: pool.verify,
    network,
    filter,
    changed: (invalidation) => hooks.onCommit?.(invalidation),
    close: async () => {
      await ingest.drain();
      await pool.close();
      await db.close();
    },
  };
};
