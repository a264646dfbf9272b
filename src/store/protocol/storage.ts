import { type Session, sql } from '../../db/statement.js';
import { MessageSet } from '../../protocol/conflict.js';
import type { MessageRow } from './message.js';

const selectLendingMessagesSql = sql<MessageRow>(
  'select_lending_messages',
  `select * from message where message_set = ${MessageSet.storageLending}
    and (fid = any($1) or target_fid = any($1))`,
);

/** @returns the valid storage lending messages from or to these accounts */
export const selectLendingMessages = async (session: Session, fids: readonly number[]): Promise<MessageRow[]> =>
  fids.length === 0 ? [] : session.select(selectLendingMessagesSql, [fids]);
