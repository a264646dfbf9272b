import { isDatabaseAway } from '../store/failure.js';
import { backoff, type Patience, pause } from './hub-retry.js';
import type { IngestItem } from './item.js';
import type { SubmitOptions } from './outcome.js';
import type { Ingest } from './pipeline.js';

/** Failures of other causes than an absent database before a batch is taken apart. */
const PATIENCE_WITH_A_BATCH = 3;

/** Thrown when the service stops before the items are stored; they come again, for their position was not written. */
class SubmitStopped extends Error {
  override readonly name = 'SubmitStopped';
}

/**
 * Stores items, whatever happens to the database meanwhile: waits while it is away and sends the same items again.
 * Items that the store cannot take for another reason are searched out by halving and left out with an error in the
 * log, so that one of them never stops a stream.
 * @throws SubmitStopped when the signal is aborted first.
 */
export const submitSurely = async (
  ingest: Ingest,
  items: readonly IngestItem[],
  options: SubmitOptions,
  { signal, log }: Patience,
): Promise<void> => {
  let refused = 0;
  for (let failures = 0; ; failures++) {
    if (signal.aborted) throw new SubmitStopped();
    try {
      await ingest.submit(items, options);
      return;
    } catch (error) {
      if (isDatabaseAway(error)) {
        log.warn({ err: error, items: items.length }, 'the database is away; the batch waits');
      } else {
        log.error({ err: error, items: items.length }, 'a batch cannot be stored');
        if (++refused >= PATIENCE_WITH_A_BATCH) break;
      }
      await pause(backoff(failures), signal);
    }
  }
  const half = items.length > 1 ? Math.ceil(items.length / 2) : 0;
  const { position, ...early } = options;
  if (half > 0) await submitSurely(ingest, items.slice(0, half), early, { signal, log });
  else if (items.length === 1) log.error({ item: items[0]?.kind }, 'an item cannot be stored and is left out');
  const rest = half > 0 ? items.slice(half) : [];
  if (rest.length > 0 || position) await submitSurely(ingest, rest, options, { signal, log });
};
