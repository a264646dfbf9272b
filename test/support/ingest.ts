import { FarcasterNetwork } from '@farcaster/core';
import type { Database } from '../../src/db/database.js';
import type { IngestDependencies } from '../../src/ingest/pipeline/dependencies.js';
import { createIngest, type Ingest } from '../../src/ingest/pipeline/pipeline.js';
import { createVerifyPool } from '../../src/protocol/verify/pool.js';

/** The real pipeline over a test database, verifying in this thread. */
export const openTestIngest = (db: Database, parts: Partial<IngestDependencies> = {}): Ingest => {
  const pool = createVerifyPool({ threads: 0, network: FarcasterNetwork.DEVNET });
  return createIngest({ db, verify: pool.verify, network: FarcasterNetwork.DEVNET, ...parts });
};
