import type { Database } from '../../db/database.js';
import { selectRefusedItemCount, selectRefusedItems } from '../../store/protocol/refused-item.js';
import type { Finding } from './diagnose.js';

const CHECK = 'refused items';

/** Reports items that could not be stored; reports nothing if the database is unavailable. */
export async function diagnoseRefused(open: () => Promise<Database>): Promise<Finding[]> {
  try {
    const db = await open();
    const count = await selectRefusedItemCount(db);
    if (count === 0) return [{ check: CHECK, verdict: 'ok', text: 'there are none' }];
    const [oldest] = await selectRefusedItems(db, 0, 1);
    const reason = oldest === undefined ? '' : `; the oldest (${oldest.kind} of fid ${oldest.fid}): ${oldest.failure}`;
    const advice =
      'These are not in any answer. `castellan refused list` says why; when the cause is gone, run `castellan refused retry --all`.';
    return [{ check: CHECK, verdict: 'warn', text: `${count} could not be stored${reason}`, advice }];
  } catch {
    // Other checks report an unavailable database, or one without this table.
    return [];
  }
}
