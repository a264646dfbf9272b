import type { MasterKey } from '../../config/secret.js';
import type { Database } from '../../db/database.js';
import { sealedColumns, selectOtherKeySealCount, selectOtherKeySeals, updateSeals } from './sealed-column.js';

/** Each batch is a transaction: short enough that no signing request waits for it. */
const BATCH = 200;

/**
 * Seals everything again that the previous master key sealed. Services that know both keys can go on meanwhile, as each
 * value is sealed by one of them. Each batch is committed by itself, so after an interruption the next call goes on.
 *
 * @param progress called with the number done and the number at the start.
 * @returns how many values were sealed again.
 * @throws SealError for a value that neither key opens; nothing of its batch is written.
 */
export const resealSecrets = async (
  db: Database,
  masterKey: MasterKey,
  { progress, signal }: { readonly progress: (done: number, total: number) => void; readonly signal: AbortSignal },
): Promise<number> => {
  const total = await selectOtherKeySealCount(db, [masterKey.id]);
  let done = 0;
  progress(done, total);
  for (const column of sealedColumns) {
    // Locked rows are skipped first, and waited for when no others are left: a row that is in use at
    // the wrong moment must not stay under the old key.
    for (let locked: 'skip' | 'wait' = 'skip'; ; ) {
      signal.throwIfAborted();
      const count = await db.transaction(async (session) => {
        const rows = await selectOtherKeySeals(session, column, masterKey.id, { limit: BATCH, locked });
        const fresh = rows.map(({ id, sealed }) => {
          const value = masterKey.open(column.purpose, sealed, id);
          try {
            return { id, sealed: masterKey.seal(column.purpose, value, id) };
          } finally {
            value.fill(0);
          }
        });
        if (fresh.length > 0) await updateSeals(session, column, fresh);
        return fresh.length;
      });
      if (count === 0 && locked === 'wait') break;
      if (count === 0) locked = 'wait';
      done += count;
      progress(done, Math.max(done, total));
    }
  }
  return done;
};
