import { FarcasterNetwork } from '@farcaster/core';
import { createIngest, type Ingest, type IngestParts } from '../../src/ingest/pipeline.js';
import { createVerifyPool } from '../../src/protocol/verify/pool.js';
import type { Database } from '../../src/store/database.js';

/** The real pipeline over a test database, verifying in this thread. */
export const openTestIngest = (db: Database, parts: Partial<IngestParts> = {}): Ingest => {
  const pool = createVerifyPool({ threads: 0, network: FarcasterNetwork.DEVNET });
  return createIngest({ db, verify: pool.verify, network: FarcasterNetwork.DEVNET, ...parts });
};
