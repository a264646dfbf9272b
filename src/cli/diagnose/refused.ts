import type { Database } from '../../db/database.js';
import { selectRefusedItemCount, selectRefusedItems } from '../../store/protocol/refused-item.js';
import { type Finding, ok, warn, whereStored } from './finding.js';

const CHECK = 'refused items';

/** Reports items that could not be stored. */
export const diagnoseRefused = (open: () => Promise<Database>): Promise<Finding[]> =>
  whereStored(open, async (db) => {
    const count = await selectRefusedItemCount(db);
    if (count === 0) return [ok(CHECK, 'there are none')];
    const [oldest] = await selectRefusedItems(db, 0, 1);
    const reason = oldest === undefined ? '' : `; the oldest (${oldest.kind} of fid ${oldest.fid}): ${oldest.failure}`;
    const advice =
      'These are not in any answer. `castellan refused list` says why; when the cause is gone, run `castellan refused retry --all`.';
    return [warn(CHECK, `${count} could not be stored${reason}`, advice)];
  });
