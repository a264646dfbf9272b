import { MessageSet } from '../../protocol/conflict.js';
import { selectQuery } from '../query-function.js';
import { MESSAGE_COLUMNS } from './message.js';

/** @returns the valid storage lending messages from or to these accounts */
export const selectLendingMessages = selectQuery(
  'select_lending_messages',
  `select ${MESSAGE_COLUMNS} from message m where message_set = ${MessageSet.storageLending}
    and (fid = any(:fids) or target_fid = any(:fids))`,
).rows((fids: readonly number[]) => (fids.length === 0 ? undefined : { fids }));
