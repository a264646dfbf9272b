import type { IngestItem } from '../ingest/item.js';
import type { Author } from './author.js';
import type { Signed } from './signed-message.js';

/**
 * Something that an account will say, planned but not yet signed: the plan is quick and tells how much there will
 * be, signing is slow and happens while the items are read.
 */
export interface Step {
  readonly fid: number;
  /** protocol seconds */
  readonly at: number;
  /** @param written the casts signed so far, by their number in the plan */
  make(by: Author, written: Signed[]): IngestItem | Promise<IngestItem>;
}
