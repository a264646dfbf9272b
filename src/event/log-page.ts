import type { Reads } from '../cache/read-cache.js';
import type { Reader } from '../db/statement.js';
import type { SocialEvent } from '../protocol/event/social-event.js';
import { selectLogStart } from '../store/event/log-start.js';
import { selectEventLog } from '../store/hub/event.js';
import { eventsOfLog } from './log.js';
import { afterRow, isAfter, type Position, wholeRow } from './position.js';

const PAGE_ROWS = 1_000;

/** A part of the log. */
interface LogPage {
  /** In order. */
  readonly events: readonly SocialEvent[];
  /** After all rows of the page. */
  readonly end: Position;
  /** Whether the log had no more rows. */
  readonly isLast: boolean;
}

/**
 * Reads the log for one reader that has everything up to a position; then, what the caller reads is at least as new.
 * @returns undefined if rows after the position were deleted because they are old
 */
export const readLogPage = async (
  { db, reads }: { readonly db: Reader; readonly reads: Reads },
  position: Position,
): Promise<LogPage | undefined> => {
  const before = wholeRow(position);
  const rows = await selectEventLog(db, before, PAGE_ROWS);
  // Checked after reading the rows, so that a deletion in between is noticed.
  if ((await selectLogStart(db)).logId > before) return undefined;
  if (rows.length > 0) await reads.catchUp();
  const events = await eventsOfLog(db, rows, reads.open().view.report);
  const last = rows.at(-1);
  return {
    events: events.filter((event) => isAfter(event, position)),
    end: last === undefined ? position : afterRow(last.id),
    isLast: rows.length < PAGE_ROWS,
  };
};
