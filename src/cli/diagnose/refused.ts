import type { Database } from '../../store/database.js';
import { selectRefusedItemCount, selectRefusedItems } from '../../store/refused-item.js';
import type { Finding } from './diagnose.js';

const CHECK = 'refused items';

/** Items of hubs and files that could not be stored; nothing is said of a store that cannot be asked. */
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
    // A database that is away, or has not this table yet, is told of by its own check.
    return [];
  }
}
