import { type EventPage, isTradeEvent, isUserEvent } from '../hydrate/event.js';
import type { FollowEvent, ReactionEvent, SocialEvent } from '../protocol/event/social-event.js';
import { toIso, unixMsToIso } from '../protocol/time.js';
import { viewCast } from './cast.js';
import { viewCastDehydrated } from './cast-embedded.js';
import { toBytes } from './json.js';
import { viewTrade } from './trade.js';
import { viewUserOf } from './user.js';
import { viewUserDehydrated } from './user-dehydrated.js';

/** Time of the log row: when this service learned of the event. */
const viewEventTime = ({ at }: SocialEvent): string => `"event_timestamp":"${unixMsToIso(at.getTime())}"`;

/** Time of the log row, and of the message that it is about. */
const viewTimes = (event: FollowEvent | ReactionEvent): string =>
  `${viewEventTime(event)},"timestamp":"${toIso(event.ts)}"`;

const viewFollow = (event: FollowEvent, { users }: EventPage): string => {
  const object = event.type === 'follow.created' ? 'follow' : 'unfollow';
  return (
    `{"object":"${object}",${viewTimes(event)},"user":${viewUserDehydrated(event.fid, users)},` +
    `"target_user":${viewUserDehydrated(event.targetFid, users)}}`
  );
};

const viewReaction = (event: ReactionEvent, { users, targets }: EventPage): string | undefined => {
  const cast = targets.get(event.targetHash);
  if (cast === undefined) return undefined;
  return (
    `{"object":"reaction",${viewTimes(event)},"reaction_type":${event.reactionType},` +
    `"user":${viewUserDehydrated(event.fid, users)},"cast":${viewCastDehydrated(cast, users)}}`
  );
};

const viewData = (event: SocialEvent, page: EventPage): string | undefined => {
  switch (event.type) {
    case 'cast.created':
    case 'cast.deleted':
      return viewCast(event.hash, page.casts, `,${viewEventTime(event)}`);
    case 'user.created':
    case 'user.updated':
      return viewUserOf(event.fid, page.users);
    case 'follow.created':
    case 'follow.deleted':
      return viewFollow(event, page);
    case 'reaction.created':
    case 'reaction.deleted':
      return viewReaction(event, page);
    case 'trade.created':
      return viewTrade(event, page);
  }
};

const viewEvent = (event: SocialEvent, page: EventPage): Buffer | undefined => {
  const createdAt = `"created_at":${Math.floor(event.at.getTime() / 1000)},`;
  const eventTime = isUserEvent(event) ? `${viewEventTime(event)},` : '';
  // The contract's `WebhookTradeEvent` has no time.
  const times = isTradeEvent(event) ? '' : createdAt + eventTime;
  try {
    const data = viewData(event, page);
    if (data === undefined) return undefined;
    return toBytes(`{"type":"${event.type}",${times}"data":`, [data], '}');
  } catch (error) {
    page.report(`event ${event.logId}`, error);
    return undefined;
  }
};

/**
 * @param page hydrated for these events
 * @returns the body of each event (`WebhookCastEvent`, `WebhookUserEvent`, `WebhookFollowEvent`,
 * `WebhookReactionEvent`, `WebhookTradeEvent`); undefined if there is nothing to send: for a reaction to a cast that is not stored, and for
 * an entity that cannot be rendered, which is reported
 */
export const viewEvents = (events: readonly SocialEvent[], page: EventPage): (Buffer | undefined)[] =>
  events.map((event) => viewEvent(event, page));
