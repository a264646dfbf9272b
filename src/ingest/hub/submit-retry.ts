import type { StoredBatch, SubmitOptions } from '../ingest-outcome.js';
import type { IngestItem } from '../item.js';
import { isItemError } from '../item-error.js';
import type { Ingest } from '../pipeline/pipeline.js';
import { backoff, pause, type RetryContext } from './retry.js';

/** Number of failures in a row of an item alone before it is stored as refused. */
const SINGLE_ITEM_ATTEMPTS = 3;

/** The service stopped before the items were stored. They are read again, because their position was not written. */
class SubmitStopped extends Error {
  override readonly name = 'SubmitStopped';
}

export interface RetryPolicy extends RetryContext {
  /** Called for each failure that items did not cause. */
  readonly onWait?: (error: unknown) => void;
}

/**
 * Stores items, whatever the state of the database.
 *
 * A failure that items did not cause (`isItemError`) is retried without limit. Otherwise the batch is halved until the
 * item is found. An item that repeatedly fails alone is stored as refused, in one transaction with the position of the
 * stream; its commit shows that the database accepts writes. Until then the item is retried like the others.
 * @throws SubmitStopped if the signal is aborted
 */
export const submitWithRetry = async (
  ingest: Ingest,
  items: readonly IngestItem[],
  options: SubmitOptions,
  policy: RetryPolicy,
): Promise<StoredBatch> => {
  const { signal, log, firstPauseMs } = policy;
  let faults = 0;
  for (let failures = 0; ; failures++) {
    if (signal.aborted) throw new SubmitStopped();
    try {
      const report = await ingest.submit(items, options);
      return { outcomes: report.outcomes, refused: 0 };
    } catch (error) {
      const mayBeItemError = items.length > 0 && isItemError(error);
      if (mayBeItemError && items.length > 1) {
        log.error(
          { err: error, items: items.length },
          'a batch cannot be stored; it is halved to find the item at fault',
        );
        return submitHalves(ingest, items, options, policy);
      }
      faults = mayBeItemError ? faults + 1 : 0;
      if (faults >= SINGLE_ITEM_ATTEMPTS) {
        if (await refuse(ingest, items[0] as IngestItem, options, error, policy))
          return { outcomes: [undefined], refused: 1 };
        faults = 0;
      } else {
        log.warn({ err: error, items: items.length }, 'a batch was not stored; it waits and is tried again');
        if (!mayBeItemError) policy.onWait?.(error);
      }
      await pause(backoff(failures, firstPauseMs), signal);
    }
  }
};

/** The position is written only with the second half: the stream must not move past the first before it is stored. */
const submitHalves = async (
  ingest: Ingest,
  items: readonly IngestItem[],
  options: SubmitOptions,
  policy: RetryPolicy,
): Promise<StoredBatch> => {
  const middle = Math.ceil(items.length / 2);
  const { position: _position, ...early } = options;
  const first = await submitWithRetry(ingest, items.slice(0, middle), early, policy);
  const second = await submitWithRetry(ingest, items.slice(middle), options, policy);
  return { outcomes: [...first.outcomes, ...second.outcomes], refused: first.refused + second.refused };
};

/** @returns whether the item was stored as refused; if not, the database rejects writes and the item may be valid */
const refuse = async (
  ingest: Ingest,
  item: IngestItem,
  options: SubmitOptions,
  error: unknown,
  { log }: RetryPolicy,
): Promise<boolean> => {
  try {
    await ingest.refuse(item, options, error);
  } catch (cause) {
    log.warn({ err: cause, refused: error, item: item.kind }, 'the database takes no writes; the item is tried again');
    return false;
  }
  log.error(
    { err: error, item: item.kind },
    'an item cannot be stored and is kept as refused: see castellan refused list',
  );
  return true;
};
