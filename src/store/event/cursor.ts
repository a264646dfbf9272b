import { readQuery, writeQuery, writeRows } from '../query-function.js';

/** @returns the last event of the log whose deliveries are written */
export const selectCursor = readQuery('webhook_cursor', 'select log_id as "logId" from webhook_cursor').valueOr(
  'logId',
  0,
);

/**
 * Moves the cursor, in the transaction that writes the deliveries of the events up to it.
 * @returns false if another process has moved it meanwhile
 */
export const advanceCursor = writeQuery(
  'advance_webhook_cursor',
  'update webhook_cursor set log_id = :to where log_id = :from returning log_id as "logId"',
).hasRows((from: number, to: number) => ({ from, to }));

/** A changed profile that waits for further changes. */
export interface UserChange {
  readonly fid: number;
  /** The latest change. */
  readonly logId: number;
  readonly part: number;
  readonly at: Date;
  /** Time of the first change. */
  readonly since: Date;
}

/** @param changes one for each account: its latest, and the time of its first */
export const upsertUserChanges = writeRows(
  'upsert_user_changes',
  { fid: 'bigint', log_id: 'bigint', part: 'integer', at: 'timestamptz', since: 'timestamptz' },
  (rows) => `insert into webhook_user_change (fid, log_id, part, at, since) ${rows}
      on conflict (fid) do update set log_id = excluded.log_id, part = excluded.part, at = excluded.at`,
).done((changes: readonly UserChange[]) => [changes]);

/** @returns the changes that have waited since this time or longer, in the order of the log */
export const selectUserChanges = readQuery(
  'due_user_changes',
  'select fid, log_id as "logId", part, at, since from webhook_user_change where since <= :since order by log_id',
).rows((since: Date) => ({ since }));

export const deleteUserChanges = writeQuery(
  'delete_user_changes',
  'delete from webhook_user_change where fid = any(:fids::bigint[])',
).done((fids: readonly number[]) => (fids.length > 0 ? { fids } : undefined));
