import type { Page } from '../hydrate/page.js';
import type { SocialEvent } from '../protocol/event/social-event.js';
import { toIso } from '../protocol/time.js';
import { viewCast } from './cast.js';
import { viewCastDehydrated } from './cast-embedded.js';
import { viewUserOf } from './user.js';
import { viewUserDehydrated } from './user-dehydrated.js';

const times = ({ at }: SocialEvent, ts: number): string =>
  `"event_timestamp":"${at.toISOString()}","timestamp":"${toIso(ts)}"`;

/** @returns the members after `created_at`; undefined if what the event is about cannot be shown */
const viewData = (event: SocialEvent, page: Page): string | undefined => {
  switch (event.type) {
    case 'cast.created':
    case 'cast.deleted': {
      const cast = viewCast(event.hash, page);
      return cast && `"data":${cast}`;
    }
    case 'user.created':
    case 'user.updated': {
      const user = viewUserOf(event.fid, page);
      return user && `"event_timestamp":"${event.at.toISOString()}","data":${user}`;
    }
    case 'follow.created':
    case 'follow.deleted':
      return (
        `"data":{"object":"${event.type === 'follow.created' ? 'follow' : 'unfollow'}",${times(event, event.ts)},` +
        `"user":${viewUserDehydrated(event.fid, page)},"target_user":${viewUserDehydrated(event.targetFid, page)}}`
      );
    case 'reaction.created':
    case 'reaction.deleted': {
      const cast = page.casts.get(event.targetHash);
      return (
        cast &&
        `"data":{"object":"reaction",${times(event, event.ts)},"reaction_type":${event.reactionType},` +
          `"user":${viewUserDehydrated(event.fid, page)},"cast":${viewCastDehydrated(cast, page)}}`
      );
    }
  }
};

/** An event that cannot be rendered is reported and left out: otherwise it would hold up all events after it. */
const viewOrReport = (event: SocialEvent, page: Page): string | undefined => {
  try {
    return viewData(event, page);
  } catch (error) {
    page.report(`event ${event.logId}-${event.part}`, error);
    return undefined;
  }
};

/**
 * @returns the event as JSON text (`WebhookCastEvent` and the like); undefined if it cannot be shown: a reaction to a cast
 *   that is not stored
 */
export const viewEvent = (event: SocialEvent, page: Page): string | undefined => {
  const data = viewOrReport(event, page);
  if (data === undefined) return undefined;
  const json = `{"type":"${event.type}","created_at":${Math.floor(event.at.getTime() / 1000)},${data}}`;
  return Buffer.from(json, 'latin1').toString();
};
