import type { Database } from '../../store/database.js';
import {
  deleteRefusedItem,
  type StoredRefusedItem,
  selectRefusedItem,
  selectRefusedItems,
  upsertRefusedItem,
} from '../../store/refused-item.js';
import { isItemFault } from '../item-fault.js';
import type { Source, SubmitOptions } from '../ingest-outcome.js';
import type { Ingest } from '../pipeline.js';
import { itemOfRefused, refusedItemRow } from './refused-item.js';

/** Items that are read together. */
const PAGE = 200;

export interface RefusedRetry {
  /** How many are stored now, or need not be stored any more, and left the table. */
  readonly stored: number;
  /** How many were refused again and stay. */
  readonly refused: number;
}

/** @returns why an item stays refused; undefined when it is stored, or known, superseded or not indexed. */
const submitAgain = async (ingest: Ingest, row: StoredRefusedItem, options: SubmitOptions): Promise<unknown> => {
  try {
    const { outcomes } = await ingest.submit([itemOfRefused(row)], options);
    const [outcome] = outcomes;
    return outcome?.status === 'invalid' ? new Error(outcome.detail) : undefined;
  } catch (error) {
    if (!isItemFault(error)) throw error;
    return error;
  }
};

/**
 * Submits refused items again, one by one, in the order in which they were refused: keys come before what they signed.
 * What is stored leaves the table; a crash in between submits it once more, which changes nothing.
 * @param id one item; absent: all
 * @throws the database's error when it takes no writes: what was not reached stays as it is
 */
export const retryRefused = async (
  { db, ingest }: { readonly db: Database; readonly ingest: Ingest },
  { id, signal }: { readonly id?: number | undefined; readonly signal: AbortSignal },
): Promise<RefusedRetry> => {
  let [stored, refused] = [0, 0];
  const retry = async (row: StoredRefusedItem): Promise<void> => {
    const options = { source: row.source as Source, announce: row.announce, trustSigners: row.trust_signers };
    const failure = await submitAgain(ingest, row, options);
    if (failure === undefined) {
      await db.transaction((session) => deleteRefusedItem(session, row.id));
      stored++;
    } else {
      await db.transaction((session) =>
        upsertRefusedItem(session, refusedItemRow(itemOfRefused(row), options, failure)),
      );
      refused++;
    }
  };
  if (id !== undefined) {
    const row = await selectRefusedItem(db, id);
    if (row) await retry(row);
    return { stored, refused };
  }
  for (let after = 0; ; ) {
    const rows = await selectRefusedItems(db, after, PAGE);
    for (const row of rows) {
      signal.throwIfAborted();
      await retry(row);
      after = row.id;
    }
    if (rows.length < PAGE) return { stored, refused };
  }
};
