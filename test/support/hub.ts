import { FarcasterNetwork } from '@farcaster/core';
import type { HubServices } from '../../src/api/http/hub-service.js';
import type { Database } from '../../src/db/database.js';
import { submitEachTo } from '../../src/ingest/hub/writer.js';
import { createValidator } from '../../src/ingest/pipeline/validate.js';
import { createVerifyPool } from '../../src/protocol/verify/pool.js';
import { openTestIngest } from './ingest.js';

/** The hub's side over a test database: real verification (in this thread) and the real pipeline. */
export const openTestHub = (db: Database): HubServices => {
  const network = FarcasterNetwork.DEVNET;
  const { verify } = createVerifyPool({ threads: 0, network });
  const ingest = openTestIngest(db);
  return {
    version: '0.0.0-test',
    nickname: 'test',
    operatorFid: 0,
    network,
    state: () => undefined,
    isSyncing: () => false,
    submit: ingest.submit,
    submitEach: submitEachTo(ingest),
    validate: createValidator({ db, verify, now: Date.now }),
    verify,
  };
};
