import type { FarcasterNetwork } from '@farcaster/core';
import type { Ingest } from '../../ingest/pipeline.js';
import type { createValidator } from '../../ingest/validate.js';

/** What the operations under /v1 need beyond the database. */
export interface HubServices {
  readonly version: string;
  readonly nickname: string;
  /** Account of whoever runs the service; 0 when it has none. */
  readonly operatorFid: number;
  readonly network: FarcasterNetwork;
  /** Whether messages are missing that another hub is known to have. */
  isSyncing(): boolean | Promise<boolean>;
  /** The way in for messages that are submitted here. */
  readonly submit: Ingest['submit'];
  /** Checks wire bytes without storing anything. */
  readonly validate: ReturnType<typeof createValidator>;
}
