import { RETRY_WINDOW_MS } from '../../delivery/retry-delay.js';
import type { WebhookSubscriptionFilters } from '../../schema/event/webhook.js';
import type { Dialect } from '../../schema/wire-names.js';
import { replayFailedDeliveries } from '../../store/event/delivery.js';
import type { Webhook } from '../../store/event/webhook.js';
import { selectEventLog } from '../../store/hub/event.js';
import { ChannelAliases } from '../channel-alias.js';
import { eventsOfLog } from '../log.js';
import { Matcher } from '../matcher.js';
import { type MatchDependencies, matchEvents, renderMatches } from '../outgoing.js';
import { afterRow } from '../position.js';
import type { ActiveWebhook } from './active-webhooks.js';
import { takeUserChanges, USER_CHANGE_MS, userUpdated } from './user-change.js';
import type { WebhookDependencies } from './webhook.js';
import { writeDeliveries } from './write-deliveries.js';

/** Rows of the log that one call goes through. */
const MAX_ROWS = 2_000;
/** Failed deliveries that one call sends again. */
export const MAX_FAILED = 10_000;

type ReplayDependencies = Pick<WebhookDependencies, 'db' | 'clock'>;

const windowOf = (clock: () => number) => {
  const now = new Date(clock());
  return { now, expiresAt: new Date(now.getTime() + RETRY_WINDOW_MS) };
};

/** Sends deliveries of a webhook again that were given up, the oldest first. @returns how many */
export const replayFailed = ({ db, clock }: ReplayDependencies, webhook: Webhook): Promise<number> =>
  replayFailedDeliveries(db, webhook.id, { ...windowOf(clock), limit: MAX_FAILED });

/**
 * Sends all events of the log from a row on that match the webhook, also those that it got before. Events with a
 * delivery keep its id and its bytes; others are rendered now.
 * @param from id of the first row
 * @returns how many events are sent, and the row to go on from; undefined if that was all
 */
export const replayFrom = async (
  { db, clock, reads, search }: ReplayDependencies & MatchDependencies,
  webhook: Webhook,
  from: number,
): Promise<{ readonly count: number; readonly next: number | undefined }> => {
  const rows = await selectEventLog(db, from - 1, MAX_ROWS);
  const filters = webhook.filters as WebhookSubscriptionFilters;
  const aliases = new ChannelAliases();
  await aliases.load(db, [filters]);
  const matcher = new Matcher<ActiveWebhook>(aliases.of);
  const { id, appId } = webhook;
  matcher.add(filters, { id, appId, dialect: webhook.dialect as Dialect, position: afterRow(0) });
  const { others, changes } = takeUserChanges(await eventsOfLog(db, rows, reads.open().view.report), USER_CHANGE_MS);
  const matches = await matchEvents({ reads, search }, matcher, [...others, ...changes.map(userUpdated)]);
  const outgoing = await renderMatches(reads, matches);
  const times = windowOf(clock);
  const count = await db.transaction((session) => writeDeliveries(session, outgoing, { ...times, repeated: 'replay' }));
  const last = rows.at(-1)?.id;
  return { count, next: rows.length === MAX_ROWS && last !== undefined ? last + 1 : undefined };
};
