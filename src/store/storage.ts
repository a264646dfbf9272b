import { MessageSet } from '../protocol/conflict.js';
import type { Session } from './database.js';
import type { MessageRow } from './message.js';

/** @returns the storage lending messages in force that these accounts gave or are given by. */
export const selectLendingMessages = async (session: Session, fids: readonly number[]): Promise<MessageRow[]> =>
  fids.length === 0
    ? []
    : session.select<MessageRow>(
        `select * from message where message_set = ${MessageSet.storageLending}
           and (fid = any($1) or target_fid = any($1))`,
        [fids],
      );
