import type { View } from '../cache/read-context.js';
import type { Reader } from '../db/statement.js';
import { fromHex } from '../hex.js';
import { decodeEvents, type EventLogRow } from '../protocol/event/decode.js';
import type { SocialEvent } from '../protocol/event/social-event.js';
import { selectReserveCustodies } from '../store/registry/reserved-account.js';

/**
 * @returns the events of rows of the log, in order; a row that cannot be decoded is reported and left out. Unlike
 *   {@link eventsOfLog}, it does not treat reserved accounts differently
 */
export const decodeLog = (rows: readonly EventLogRow[], report: View['report']): SocialEvent[] =>
  rows.flatMap((row) => {
    try {
      return decodeEvents(row);
    } catch (error) {
      // Otherwise it would hold up all events after it.
      report(`event ${row.id}`, error);
      return [];
    }
  });

const custodyOf = (event: SocialEvent): string | undefined => ('custody' in event ? event.custody : undefined);

/**
 * Decodes the events that apps receive, with at most one statement. An account that this service registers in advance is
 * created when a person gets it: its registration is no event, and the transfer from its first custody address is
 * `user.created`. That address is stored before the registration is broadcast, so every reader of the log sees the same.
 * @returns the events of rows of the log, in order; a row that cannot be decoded is reported and left out
 */
export const eventsOfLog = async (
  db: Reader,
  rows: readonly EventLogRow[],
  report: View['report'],
): Promise<SocialEvent[]> => {
  const events = decodeLog(rows, report);
  const custodies = events.flatMap((event) => custodyOf(event) ?? []);
  if (custodies.length === 0) return events;
  const reserve = new Set(await selectReserveCustodies(db, custodies.map(fromHex)));
  return events.flatMap((event): SocialEvent[] => {
    if (!reserve.has(custodyOf(event) ?? '')) return [event];
    return event.type === 'user.updated' ? [{ ...event, type: 'user.created' }] : [];
  });
};
