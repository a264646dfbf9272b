import type { CastFacts } from '../hydrate/cast-facts.js';
import type { SocialEvent } from '../protocol/event/social-event.js';

/** The values of an event by the name of a filter; a filter with a list matches if the list contains one of them. */
export type EventKeys = Readonly<Record<string, readonly (number | string)[]>>;

const castKeys = (event: Extract<SocialEvent, { hash: string }>, facts: CastFacts | undefined): EventKeys => {
  const quoted = event.embeds.flatMap((embed) => ('hash' in embed ? [embed] : []));
  return {
    author_fids: [event.fid],
    mentioned_fids: event.mentions,
    parent_author_fids: event.parentFid === null ? [] : [event.parentFid],
    parent_hashes: event.parentHash === null ? [] : [`0x${event.parentHash}`],
    parent_urls: event.parentUrl === null ? [] : [event.parentUrl],
    root_parent_urls: facts?.rootParentUrl == null ? [] : [facts.rootParentUrl],
    embedded_cast_hashes: quoted.map(({ hash }) => `0x${hash}`),
    embedded_cast_author_fids: quoted.map(({ fid }) => fid),
  };
};

/** @returns the values of an event that lists in filters are compared with */
export const eventKeys = (event: SocialEvent, facts: CastFacts | undefined): EventKeys => {
  if ('hash' in event) return castKeys(event, facts);
  if ('targetHash' in event) {
    return { fids: [event.fid], target_fids: [event.targetFid], target_cast_hashes: [`0x${event.targetHash}`] };
  }
  if ('targetFid' in event) return { fids: [event.fid], target_fids: [event.targetFid] };
  return event.type === 'user.updated' || event.type === 'trade.created' ? { fids: [event.fid] } : {};
};

/** @returns the worth of a trade in US dollars, 0 if it is unknown; 0 for other events */
export const usdOf = (event: SocialEvent): number => ('usd' in event ? (event.usd ?? 0) : 0);

/** @returns the URLs that a cast embeds */
export const embeddedUrls = (event: SocialEvent): string[] =>
  'hash' in event ? event.embeds.flatMap((embed) => ('url' in embed ? [embed.url] : [])) : [];

/** Filters that hold URLs of channels, each of which has several spellings. */
export const URL_FILTERS: ReadonlySet<string> = new Set(['parent_urls', 'root_parent_urls']);
