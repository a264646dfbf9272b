import type { FarcasterNetwork } from '@farcaster/core';
import type { HubState } from '../../ingest/hub/reader.js';
import type { SubmitEach } from '../../ingest/hub/writer.js';
import type { Ingest } from '../../ingest/pipeline/pipeline.js';
import type { createValidator } from '../../ingest/pipeline/validate.js';
import type { VerifyPool } from '../../protocol/verify/pool.js';

export interface HubServices {
  readonly version: string;
  readonly nickname: string;
  /** Account of the service's operator; 0 when it has none. */
  readonly operatorFid: number;
  readonly network: FarcasterNetwork;
  /** Whether another hub is known to have messages that are missing here. */
  isSyncing(): boolean | Promise<boolean>;
  /** @returns how far the store is; undefined: the service follows no hub */
  state(): HubState | undefined;
  /** Stores submitted messages. */
  readonly submit: Ingest['submit'];
  /** Stores submitted messages of which none keeps the others from being stored. */
  readonly submitEach: SubmitEach;
  /** Checks a message as a submission. */
  readonly validate: ReturnType<typeof createValidator>;
  /** Checks hash, signature and form of messages, as when they come from a hub. */
  readonly verify: VerifyPool['verify'];
}
