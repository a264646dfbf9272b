import { MessageSet } from '../../protocol/conflict.js';
import { selectQuery } from '../query-function.js';
import type { MessageRow } from './message.js';

/** @returns the valid storage lending messages from or to these accounts */
export const selectLendingMessages = selectQuery<MessageRow>(
  'select_lending_messages',
  `select * from message where message_set = ${MessageSet.storageLending}
    and (fid = any($1) or target_fid = any($1))`,
).rows((fids: readonly number[]) => (fids.length === 0 ? undefined : [fids]));
