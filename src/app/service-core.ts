import { FarcasterNetwork } from '@farcaster/core';
import type { HubNetwork, StoreConfig } from '../config/config.js';
import { ConfigError } from '../config/reader.js';
import type { MasterKey } from '../config/secret.js';
import type { Database } from '../db/database.js';
import { migrate } from '../db/migrate.js';
import { openDatabase } from '../db/open-database.js';
import { createPatternSearch, type PatternSearch } from '../event/pattern-search.js';
import { createFidFilter, type FidFilter } from '../ingest/fid-filter.js';
import type { IngestDependencies } from '../ingest/pipeline/dependencies.js';
import { createIngest, type Ingest } from '../ingest/pipeline/pipeline.js';
import type { Log } from '../log.js';
import { createVerifyPool, type VerifyPool } from '../protocol/verify/pool.js';
import { selectOtherKeySealCount } from '../store/access/sealed-column.js';
import type { Invalidation } from '../store/change.js';

const NETWORKS: Readonly<Record<HubNetwork, FarcasterNetwork>> = {
  mainnet: FarcasterNetwork.MAINNET,
  testnet: FarcasterNetwork.TESTNET,
  devnet: FarcasterNetwork.DEVNET,
};

/** The parts that the service and every command share: the store and the ingest pipeline. */
export interface ServiceCore {
  readonly db: Database;
  readonly ingest: Ingest;
  /** Verifies wire bytes without storing them. */
  readonly verify: VerifyPool['verify'];
  readonly network: FarcasterNetwork;
  /** Searches texts for the regular expressions of filters. */
  readonly searchPatterns: PatternSearch;
  /** Filter of partial mode; undefined if everything is indexed. */
  readonly filter: FidFilter | undefined;
  /** Invalidates the caches of this process, if any, after a write outside of ingest. */
  readonly changed: (invalidation: Invalidation) => void;
  /** Commits submitted items, then closes everything. */
  close(): Promise<void>;
}

/** Listeners of commits, and chains for submissions; commands need none. */
type CoreHooks = Pick<IngestDependencies, 'onCommit' | 'onBatch' | 'chains' | 'tracer'>;

/** @param database migrated instead of the one of the configuration */
export const openMigratedDatabase = async (config: StoreConfig, database?: Database): Promise<Database> => {
  const db = database ?? (await openDatabase(config));
  try {
    await migrate(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
};

/** @param db must have the current schema; closed with the core. */
export const createCore = (db: Database, config: StoreConfig, log: Log, hooks: CoreHooks = {}): ServiceCore => {
  const network = NETWORKS[config.hubNetwork];
  const patterns = createPatternSearch();
  // A command has no caches of its own, but a service that runs beside it has.
  const { onCommit = (): void => db.notices.send() } = hooks;
  const pool = createVerifyPool({ threads: config.verifyThreads, network, log });
  const filter = config.fids && createFidFilter(config.fids);
  const ingest = createIngest({
    db,
    network,
    log,
    verify: pool.verify,
    channelRegistrar: config.channelRegistrar,
    ...(filter ? { isIndexed: filter.accepts } : {}),
    ...hooks,
    onCommit,
  });
  return {
    db,
    ingest,
    verify: pool.verify,
    searchPatterns: patterns.search,
    network,
    filter,
    changed: onCommit,
    close: async () => {
      await ingest.drain();
      await pool.close();
      await patterns.close();
      await db.close();
    },
  };
};

/** Fails at the start if the master key does not open a stored secret: otherwise only the first signature would. */
export const requireSeals = async (db: Database, masterKey: MasterKey): Promise<void> => {
  const foreign = await selectOtherKeySealCount(db, masterKey.ids);
  if (foreign === 0) return;
  const problem = `does not open everything: ${foreign} stored secrets are under another key. Set CASTELLAN_MASTER_KEY_PREVIOUS to that one, then run \`castellan secret rotate\`.`;
  throw new ConfigError([{ variable: 'CASTELLAN_MASTER_KEY', problem }]);
};
