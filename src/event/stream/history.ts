import type { Reader } from '../../db/statement.js';
import { selectLogStart } from '../../store/event/log-start.js';
import { selectEventLog } from '../../store/hub/event.js';
import { eventsOfLog } from '../log.js';
import type { Matcher } from '../matcher.js';
import { type EventMatch, type MatchDependencies, matchEvents, renderMatches } from '../outgoing.js';
import { afterRow, isAfter, type Position } from '../position.js';
import type { EventStream } from './event-stream.js';

const PAGE_ROWS = 1_000;
/** Events that are rendered at once; that many bodies at most are in memory for a client that does not read. */
const RENDERED_EVENTS = 100;

/** A part of the log as one stream sees it. */
interface LogPage {
  readonly matches: readonly EventMatch<EventStream>[];
  readonly end: Position;
  /** Whether the log had no more rows. */
  readonly isLast: boolean;
}

/** What a stream needs to read the log by itself. */
export interface HistoryDependencies extends MatchDependencies {
  readonly db: Reader;
}

/** @returns undefined if rows after the position were deleted because they are old */
const readPage = async (
  { db, reads, search }: HistoryDependencies,
  matcher: Matcher<EventStream>,
  position: Position,
): Promise<LogPage | undefined> => {
  // Of the row of its last event, a client may have read only some events.
  const before = Number.isFinite(position.part) ? position.logId - 1 : position.logId;
  const rows = await selectEventLog(db, before, PAGE_ROWS);
  // Checked after reading the rows, so that a deletion in between is noticed.
  if ((await selectLogStart(db)).logId > position.logId) return undefined;
  if (rows.length > 0) await reads.catchUp();
  const logged = await eventsOfLog(db, rows, reads.open().view.report);
  const events = logged.filter((event) => isAfter(event, position));
  const last = rows.at(-1);
  return {
    matches: await matchEvents({ reads, search }, matcher, events),
    end: last === undefined ? position : afterRow(last.id),
    isLast: rows.length < PAGE_ROWS,
  };
};

/**
 * Sends one page of the log to a stream, as fast as its client reads.
 * @param matcher contains this stream alone
 * @param limited limits the concurrency of what uses the database, so that streams do not delay requests
 * @returns whether the log has more rows; `gone` if rows after the stream's position were deleted
 */
export const sendHistory = async (
  dependencies: HistoryDependencies,
  { stream, matcher }: { readonly stream: EventStream; readonly matcher: Matcher<EventStream> },
  limited: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<'more' | 'end' | 'gone'> => {
  const page = await limited(() => readPage(dependencies, matcher, stream.position));
  if (page === undefined) return 'gone';
  for (let from = 0; from < page.matches.length; from += RENDERED_EVENTS) {
    await stream.drained();
    if (!stream.isOpen) return 'end';
    const some = page.matches.slice(from, from + RENDERED_EVENTS);
    for (const event of await limited(() => renderMatches(dependencies.reads, some))) stream.send(event);
  }
  stream.advance(page.end);
  return page.isLast ? 'end' : 'more';
};
