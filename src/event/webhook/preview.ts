import type { Session } from '../../db/statement.js';
import type { SocialEvent } from '../../protocol/event/social-event.js';
import type { WebhookSubscriptionFilters } from '../../schema/event/webhook.js';
import { selectEventLog, selectEventLogBounds } from '../../store/hub/event.js';
import { ChannelAliases } from '../channel-alias.js';
import { eventsOfLog } from '../log.js';
import { Matcher } from '../matcher.js';
import { type MatchDependencies, matchEvents, type Recipient } from '../outgoing.js';
import { afterRow } from '../position.js';
import { takeUserChanges, USER_CHANGE_MS, userUpdated } from './user-change.js';

/** Ids of the log that are looked through; ids have gaps, so there may be fewer rows. */
const MAX_ROWS = 2_000;
/** Events that are compared. */
const MAX_EVENTS = 200;

/**
 * Compares filters with the newest events of the types that they name, as if a webhook with them had been there.
 * @param filters as `readFilters` returns them
 * @returns how many events were compared, and those that match, the newest first
 */
export const previewFilters = async (
  { db, reads, search }: MatchDependencies & { readonly db: Session },
  appId: string,
  filters: WebhookSubscriptionFilters,
): Promise<{ readonly compared: number; readonly matches: SocialEvent[] }> => {
  const { newest } = await selectEventLogBounds(db);
  const rows = await selectEventLog(db, Math.max(newest - MAX_ROWS, 0), MAX_ROWS);
  const found = await eventsOfLog(db, rows, reads.open().view.report);
  const { others, changes } = takeUserChanges(found, USER_CHANGE_MS);
  const wanted = [...others, ...changes.map(userUpdated)].filter(({ type }) => type in filters);
  const events = wanted.sort((a, b) => a.logId - b.logId || a.part - b.part).slice(-MAX_EVENTS);
  const aliases = new ChannelAliases();
  await aliases.load(db, [filters]);
  const matcher = new Matcher<Recipient>(aliases.of);
  matcher.add(filters, { appId, dialect: 'neutral', position: afterRow(0) });
  const matches = await matchEvents({ reads, search }, matcher, events);
  return { compared: events.length, matches: matches.map(({ event }) => event).reverse() };
};
