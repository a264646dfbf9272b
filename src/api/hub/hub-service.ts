import type { FarcasterNetwork } from '@farcaster/core';
import type { Ingest } from '../../ingest/pipeline.js';
import type { createValidator } from '../../ingest/validate.js';
import type { Dialect } from '../../schema/wire-names.js';
import type { FragmentCache } from '../../view/fragment.js';

/** What the operations under /v1 need beyond the database. */
export interface HubServices {
  readonly version: string;
  readonly nickname: string;
  /** Account of whoever runs the service; 0 when it has none. */
  readonly operatorFid: number;
  readonly network: FarcasterNetwork;
  /** Whether messages are missing that another hub is known to have. */
  isSyncing(): boolean | Promise<boolean>;
  /** Whose names messages are rendered in. */
  readonly dialect: Dialect;
  /** Rendered raw messages by hash and signature, all in that dialect. */
  readonly messages: FragmentCache;
  /** The way in for messages that are submitted here. */
  readonly submit: Ingest['submit'];
  /** Checks wire bytes without storing anything. */
  readonly validate: ReturnType<typeof createValidator>;
}
