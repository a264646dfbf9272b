import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Database } from '../db/database.js';
import { DAY_MS } from '../duration.js';
import { deleteExpiredConsoleSessions } from '../store/access/console-session.js';
import { deleteOldEvents } from '../store/event/log-start.js';
import { deleteOldDeliveries } from '../store/event/retention.js';
import { deleteExpiredStreamTickets } from '../store/event/stream-ticket.js';
import { selectEventIdSince, selectEventLogBounds } from '../store/hub/event.js';

/** Rows of the log that one transaction deletes. */
const BATCH_ROWS = 10_000;

/** How long outgoing events are kept, in days. */
export interface EventRetention {
  /** The event log: streams and replays reach back so far. */
  readonly eventDays: number;
  /** Deliveries of webhooks that have ended, and attempts. */
  readonly deliveryDays: number;
}

/**
 * Deletes rows of the event log and deliveries that are older than they are kept, but no row that was not handed to
 * webhooks yet, nor the newest.
 * @param options `now` in Unix milliseconds
 * @throws the reason of `signal` when that is aborted
 */
export const deleteOldEventData = async (
  db: Database,
  {
    retention,
    now,
    signal,
  }: { readonly retention: EventRetention; readonly now: number; readonly signal: AbortSignal },
): Promise<void> => {
  await deleteOldDeliveries(db, new Date(now - retention.deliveryDays * DAY_MS));
  await deleteExpiredStreamTickets(db, new Date(now));
  await deleteExpiredConsoleSessions(db, new Date(now));
  // The newest row stays however old it is: a reader that has it goes on from there. Read before the search by time: rows
  // that are written in between are newer and must stay.
  const { newest } = await selectEventLogBounds(db);
  const before = (await selectEventIdSince(db, new Date(now - retention.eventDays * DAY_MS))) ?? newest;
  while ((await deleteOldEvents(db, before, BATCH_ROWS)) === BATCH_ROWS) {
    signal.throwIfAborted();
    await yieldToOthers();
  }
};
