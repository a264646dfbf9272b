import type { Reader } from '../../db/statement.js';
import { readLogPage } from '../log-page.js';
import type { Matcher } from '../matcher.js';
import { type MatchDependencies, matchEvents, renderMatches } from '../outgoing.js';
import type { EventStream } from './event-stream.js';

/** Events that are rendered at once; that many bodies at most are in memory for a client that does not read. */
const RENDERED_EVENTS = 100;

/** What a stream needs to read the log by itself. */
export interface HistoryDependencies extends MatchDependencies {
  readonly db: Reader;
}

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
  const page = await limited(() => readLogPage(dependencies, stream.position));
  if (page === undefined) return 'gone';
  const matches = await limited(() => matchEvents(dependencies, matcher, page.events));
  for (let from = 0; from < matches.length; from += RENDERED_EVENTS) {
    await stream.drained();
    if (!stream.isOpen) return 'end';
    const some = matches.slice(from, from + RENDERED_EVENTS);
    for (const event of await limited(() => renderMatches(dependencies.reads, some))) stream.send(event);
  }
  stream.advance(page.end);
  return page.isLast ? 'end' : 'more';
};
