import type { FarcasterNetwork } from '@farcaster/core';
import type { Ingest } from '../../ingest/pipeline/pipeline.js';
import type { createValidator } from '../../ingest/pipeline/validate.js';

export interface HubServices {
  readonly version: string;
  readonly nickname: string;
  /** Account of the service's operator; 0 when it has none. */
  readonly operatorFid: number;
  readonly network: FarcasterNetwork;
  /** Whether another hub is known to have messages that are missing here. */
  isSyncing(): boolean | Promise<boolean>;
  /** Stores submitted messages. */
  readonly submit: Ingest['submit'];
  readonly validate: ReturnType<typeof createValidator>;
}
