import type { Reads } from '../cache/read-cache.js';
import type { ReadContext } from '../cache/read-context.js';
import { loadFacts } from '../hydrate/cast-facts.js';
import { hydrateEvents } from '../hydrate/event.js';
import { hydrateHidden } from '../hydrate/hidden.js';
import type { SocialEvent } from '../protocol/event/social-event.js';
import { DIALECTS, type Dialect } from '../schema/wire-names.js';
import { viewEvents } from '../view/event.js';
import type { Matcher } from './matcher.js';
import type { PatternSearch } from './pattern-search.js';
import { isAfter, type Position } from './position.js';

/** A receiver of events: a webhook or a stream. */
export interface Recipient {
  readonly appId: string;
  /** Names in the bodies that it gets. */
  readonly dialect: Dialect;
  /** It gets the events of the log after this. */
  readonly position: Position;
}

/** An event and its recipients, each once. */
export interface EventMatch<To extends Recipient> {
  readonly event: SocialEvent;
  readonly recipients: readonly To[];
}

/** An event as it is sent, in the names of one dialect. */
export interface OutgoingEvent<To extends Recipient> extends EventMatch<To> {
  readonly dialect: Dialect;
  /** JSON in one line. */
  readonly body: string;
}

/** @returns for each app the accounts that it banned, at least those among these */
const loadBanned = async (
  read: ReadContext,
  matches: readonly EventMatch<Recipient>[],
): Promise<ReadonlyMap<string, ReadonlySet<number>>> => {
  const fids = new Map<string, Set<number>>();
  for (const { event, recipients } of matches) {
    for (const { appId } of recipients) {
      const known = fids.get(appId);
      if (known === undefined) fids.set(appId, new Set([event.fid]));
      else known.add(event.fid);
    }
  }
  const banned = [...fids].map(
    async ([appId, of]) => [appId, await hydrateHidden(read, [...of], { appId, viewer: null })] as const,
  );
  return new Map(await Promise.all(banned));
};

/** What finding the recipients of events needs. */
export interface MatchDependencies {
  readonly reads: Reads;
  readonly search: PatternSearch;
}

/** @returns the events that have recipients; no app gets events of accounts that it banned */
export const matchEvents = async <To extends Recipient>(
  { reads, search }: MatchDependencies,
  matcher: Matcher<To>,
  events: readonly SocialEvent[],
): Promise<EventMatch<To>[]> => {
  const read = reads.open();
  const facts = await loadFacts(read, events, matcher.needs);
  const isFound = await search(matcher.searches(events, facts));
  const matches = events.flatMap((event, index): EventMatch<To>[] => {
    const recipients = matcher.match(event, facts[index], isFound).filter(({ position }) => isAfter(event, position));
    return recipients.length === 0 ? [] : [{ event, recipients }];
  });
  const banned = await loadBanned(read, matches);
  return matches.flatMap(({ event, recipients }) => {
    const left = recipients.filter(({ appId }) => !banned.get(appId)?.has(event.fid));
    return left.length === 0 ? [] : [{ event, recipients: left }];
  });
};

const renderIn = async <To extends Recipient>(
  reads: Reads,
  dialect: Dialect,
  matches: readonly EventMatch<To>[],
): Promise<OutgoingEvent<To>[]> => {
  const wanted = matches.flatMap(({ event, recipients }) => {
    const of = recipients.filter((recipient) => recipient.dialect === dialect);
    return of.length === 0 ? [] : [{ event, recipients: of }];
  });
  if (wanted.length === 0) return [];
  const events = wanted.map(({ event }) => event);
  const bodies = viewEvents(events, await hydrateEvents(reads.forDialect(dialect).open(), events));
  return wanted.flatMap((match, index) => {
    const body = bodies[index]?.toString();
    return body === undefined ? [] : [{ ...match, dialect, body }];
  });
};

/**
 * @returns the events in the names that their recipients asked for, in the order of the log for each dialect; what
 *   cannot be shown is left out
 */
export const renderMatches = async <To extends Recipient>(
  reads: Reads,
  matches: readonly EventMatch<To>[],
): Promise<OutgoingEvent<To>[]> =>
  (await Promise.all(DIALECTS.map((dialect) => renderIn(reads, dialect, matches)))).flat();
