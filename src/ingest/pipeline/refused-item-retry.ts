import type { Database } from '../../db/database.js';
import {
  deleteRefusedItem,
  type StoredRefusedItem,
  selectRefusedItem,
  selectRefusedItems,
  upsertRefusedItem,
} from '../../store/protocol/refused-item.js';
import type { Source, SubmitOptions } from '../ingest-outcome.js';
import { isItemError } from '../item-error.js';
import type { Ingest } from './pipeline.js';
import { itemOfRefused, refusedItemRow } from './refused-item.js';

/** Items read together. */
const PAGE = 200;

export interface RefusedRetry {
  /** Items that are stored now, or need not be stored any more, and were removed from the table. */
  readonly stored: number;
  /** Items that were refused again and stay. */
  readonly refused: number;
}

/** @returns the error of an item that is still refused; undefined if it is stored, known, superseded or not indexed */
const submitAgain = async (ingest: Ingest, row: StoredRefusedItem, options: SubmitOptions): Promise<unknown> => {
  try {
    const { outcomes } = await ingest.submit([itemOfRefused(row)], options);
    const [outcome] = outcomes;
    return outcome?.status === 'invalid' ? new Error(outcome.detail) : undefined;
  } catch (error) {
    if (!isItemError(error)) throw error;
    return error;
  }
};

/**
 * Submits refused items again, one by one, in the order in which they were refused, because keys come before the
 * messages that they sign. Stored items leave the table; after a crash in between, an item is submitted once more,
 * which has no effect.
 * @param id one item; undefined: all
 * @throws the database's error if it rejects writes: the remaining items are unchanged
 */
export const retryRefused = async (
  { db, ingest }: { readonly db: Database; readonly ingest: Ingest },
  { id, signal }: { readonly id?: number | undefined; readonly signal: AbortSignal },
): Promise<RefusedRetry> => {
  let [stored, refused] = [0, 0];
  const retry = async (row: StoredRefusedItem): Promise<void> => {
    const options = { source: row.source as Source, announce: row.announce, trustSigners: row.trustSigners };
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
