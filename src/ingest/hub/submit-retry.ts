import { backoff, type Patience, pause } from './retry.js';
import type { IngestItem } from '../item.js';
import { isItemFault } from '../item-fault.js';
import type { IngestReport, SubmitOptions } from '../ingest-outcome.js';
import type { Ingest } from '../pipeline.js';

/** How often an item must fail alone, one try after the other, before it is kept as refused. */
const TRIES_ALONE = 3;

/** Thrown when the service stops before the items are stored; they come again, for their position was not written. */
class SubmitStopped extends Error {
  override readonly name = 'SubmitStopped';
}

/** How long work on items goes on trying: until the signal is aborted. */
export interface RetryPolicy extends Patience {
  /** Is told of each failure that is not the items' own. */
  readonly onWait?: (error: unknown) => void;
}

/** What became of items. */
export interface Submitted {
  /** Of all items but the refused ones. */
  readonly reports: readonly IngestReport[];
  /** How many are kept in the table of refused items. */
  readonly refused: number;
}

/**
 * Stores items, whatever happens to the database meanwhile.
 *
 * A failure that is not the items' own (`isItemFault`) is waited out, however long it lasts. Otherwise the batch is
 * halved until the item is found. One that fails alone again and again is written to the table of refused items, in one
 * transaction with the position of the stream; that this commits shows that the database takes writes at that moment. As
 * long as it does not, the item is tried again like everything else.
 * @throws SubmitStopped when the signal is aborted first
 */
export const submitWithRetry = async (
  ingest: Ingest,
  items: readonly IngestItem[],
  options: SubmitOptions,
  policy: RetryPolicy,
): Promise<Submitted> => {
  const { signal, log } = policy;
  let faults = 0;
  for (let failures = 0; ; failures++) {
    if (signal.aborted) throw new SubmitStopped();
    try {
      return { reports: [await ingest.submit(items, options)], refused: 0 };
    } catch (error) {
      const mayBeTheirs = items.length > 0 && isItemFault(error);
      if (mayBeTheirs && items.length > 1) {
        log.error(
          { err: error, items: items.length },
          'a batch cannot be stored; it is halved to find the item at fault',
        );
        return submitHalves(ingest, items, options, policy);
      }
      faults = mayBeTheirs ? faults + 1 : 0;
      if (faults >= TRIES_ALONE) {
        if (await refuse(ingest, items[0] as IngestItem, options, error, policy)) return { reports: [], refused: 1 };
        faults = 0;
      } else {
        log.warn({ err: error, items: items.length }, 'a batch was not stored; it waits and is tried again');
        if (!mayBeTheirs) policy.onWait?.(error);
      }
      await pause(backoff(failures), signal);
    }
  }
};

/** The position is written with the second half alone: the stream must not move past the first before it is stored. */
const submitHalves = async (
  ingest: Ingest,
  items: readonly IngestItem[],
  options: SubmitOptions,
  policy: RetryPolicy,
): Promise<Submitted> => {
  const middle = Math.ceil(items.length / 2);
  const { position: _position, ...early } = options;
  const first = await submitWithRetry(ingest, items.slice(0, middle), early, policy);
  const second = await submitWithRetry(ingest, items.slice(middle), options, policy);
  return { reports: [...first.reports, ...second.reports], refused: first.refused + second.refused };
};

/** @returns whether the item is kept; the database does not take writes otherwise, so nothing is known of the item. */
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
