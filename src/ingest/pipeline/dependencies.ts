import type { FarcasterNetwork } from '@farcaster/core';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.js';
import type { VerifyPool } from '../../protocol/verify/pool.js';
import type { ProtocolMessage } from '../../protocol/wire/message.js';
import type { Invalidation } from '../../store/change.js';
import type { Tracer } from '../../trace/tracer.js';
import type { IngestReport, Source } from '../ingest-outcome.js';
import type { ChainClaimReader } from './chain-claim.js';

/** One transaction of ingest, or items that needed none because they are invalid or not indexed. */
export interface IngestedBatch {
  readonly source: Source;
  readonly report: IngestReport;
  /** Duration of the transaction. */
  readonly seconds?: number;
}

export interface IngestDependencies {
  readonly db: Database;
  readonly verify: VerifyPool['verify'];
  readonly network: FarcasterNetwork;
  /** Asked about claims in submissions; undefined: submissions with such claims are refused. */
  readonly chains?: ChainClaimReader | undefined;
  /** Whether a message is indexed (partial mode); undefined: all are. */
  readonly isIndexed?: (message: ProtocolMessage) => boolean;
  /** Where the protocol's channels are registered, `eip155:<chain>/erc721:<address>`; undefined: they are not shown. */
  readonly channelRegistrar?: string | undefined;
  /** Called after each commit, also one with an unknown outcome, before `submit` settles, with what caches must invalidate. */
  readonly onCommit?: (invalidation: Invalidation) => void;
  /** Called once for each batch; each item is in one. */
  readonly onBatch?: (batch: IngestedBatch) => void;
  readonly tracer?: Tracer | undefined;
  readonly log?: Logger;
  /** Unix milliseconds. */
  readonly now?: () => number;
}
