import type { IngestItem } from '../ingest/item.js';
import type { Author } from './author.js';
import type { Signed } from './signed-message.js';

/**
 * A planned message, not yet signed: planning is fast and gives the number of messages, signing is slow and happens as
 * they are read.
 */
export interface Step {
  readonly fid: number;
  /** protocol seconds */
  readonly at: number;
  /** @param written the casts signed so far, by their number in the plan */
  make(by: Author, written: Signed[]): IngestItem | Promise<IngestItem>;
}
