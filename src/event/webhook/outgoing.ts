import type { Reads } from '../../cache/read-cache.js';
import type { ReadContext } from '../../cache/read-context.js';
import { loadFacts } from '../../hydrate/cast-facts.js';
import { hydrateEvents } from '../../hydrate/event.js';
import { hydrateHidden } from '../../hydrate/hidden.js';
import type { SocialEvent } from '../../protocol/event/social-event.js';
import { DIALECTS, type Dialect } from '../../schema/wire-names.js';
import type { EventKey, NewDelivery } from '../../store/event/delivery.js';
import { viewEvents } from '../../view/event.js';
import type { Matcher } from '../matcher.js';
import type { ActiveWebhook } from './active-webhooks.js';

/** An event, and the webhooks that are told. */
export interface EventMatch {
  readonly event: SocialEvent;
  readonly webhooks: readonly ActiveWebhook[];
}

export type EventBody = EventKey & { readonly dialect: Dialect; readonly body: string };

/** @returns for each app the accounts that it banned, at least those among these */
const loadBanned = async (
  read: ReadContext,
  matches: readonly EventMatch[],
): Promise<ReadonlyMap<string, ReadonlySet<number>>> => {
  const fids = new Map<string, number[]>();
  for (const { event, webhooks } of matches) {
    for (const { appId } of webhooks) {
      const known = fids.get(appId);
      if (known === undefined) fids.set(appId, [event.fid]);
      else known.push(event.fid);
    }
  }
  const banned = [...fids].map(
    async ([appId, of]) => [appId, await hydrateHidden(read, of, { appId, viewer: null })] as const,
  );
  return new Map(await Promise.all(banned));
};

/** @returns the events of which some webhook is told; no app is told of accounts that it banned */
export const matchEvents = async (
  reads: Reads,
  matcher: Matcher<ActiveWebhook>,
  events: readonly SocialEvent[],
): Promise<EventMatch[]> => {
  const read = reads.open();
  const facts = await loadFacts(read, events, matcher.needs);
  const matches = events.flatMap((event, index): EventMatch[] => {
    const webhooks = matcher.match(event, facts[index]).filter(({ afterLogId }) => event.logId > afterLogId);
    return webhooks.length === 0 ? [] : [{ event, webhooks }];
  });
  const banned = await loadBanned(read, matches);
  return matches.flatMap(({ event, webhooks }) => {
    const left = webhooks.filter(({ appId }) => !banned.get(appId)?.has(event.fid));
    return left.length === 0 ? [] : [{ event, webhooks: left }];
  });
};

/** @returns the bodies in the names that webhooks asked for, and what is to be sent; what cannot be shown is left out */
export const renderMatches = async (
  reads: Reads,
  matches: readonly EventMatch[],
): Promise<{ readonly bodies: EventBody[]; readonly deliveries: Omit<NewDelivery, 'id'>[] }> => {
  const bodies: EventBody[] = [];
  const deliveries: Omit<NewDelivery, 'id'>[] = [];
  for (const dialect of DIALECTS) {
    const wanted = matches.filter(({ webhooks }) => webhooks.some((webhook) => webhook.dialect === dialect));
    if (wanted.length === 0) continue;
    const events = wanted.map(({ event }) => event);
    const rendered = viewEvents(events, await hydrateEvents(reads.forDialect(dialect).open(), events));
    for (const [index, { event, webhooks }] of wanted.entries()) {
      const { logId, part, type } = event;
      const body = rendered[index]?.toString();
      if (body === undefined) continue;
      bodies.push({ logId, part, dialect, body });
      for (const { id } of webhooks.filter((webhook) => webhook.dialect === dialect)) {
        deliveries.push({ webhookId: id, logId, part, type });
      }
    }
  }
  return { bodies, deliveries };
};
