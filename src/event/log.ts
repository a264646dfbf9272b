import type { View } from '../cache/read-context.js';
import { decodeEvents, type EventLogRow } from '../protocol/event/decode.js';
import type { SocialEvent } from '../protocol/event/social-event.js';

/** @returns the events of rows of the log, in order; a row that cannot be decoded is reported and left out */
export const eventsOfLog = (rows: readonly EventLogRow[], report: View['report']): SocialEvent[] =>
  rows.flatMap((row) => {
    try {
      return decodeEvents(row);
    } catch (error) {
      // Otherwise it would hold up all events after it.
      report(`event ${row.id}`, error);
      return [];
    }
  });
