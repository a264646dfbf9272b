import { randomUUID } from 'node:crypto';
import type { Reads } from '../../cache/read-cache.js';
import type { DeliveryMeter } from '../../delivery/meter.js';
import type { OutboundClient } from '../../delivery/outbound.js';
import { invalidField } from '../../error.js';
import { hydrateEvents } from '../../hydrate/event.js';
import type { ProtocolEventType, SocialEvent } from '../../protocol/event/social-event.js';
import { fromUnixMs } from '../../protocol/time.js';
import type { Dialect } from '../../schema/wire-names.js';
import { selectNewestCasts } from '../../store/query/cast.js';
import { viewEvents } from '../../view/event.js';
import { type CallResult, callWebhook } from './attempt.js';
import type { OwnWebhook, WebhookDependencies } from './webhook.js';

/** @returns an event that did not happen, about the newest cast and its author; undefined if nothing is stored yet */
const sampleEvent = async (
  { db, clock }: WebhookDependencies,
  type: ProtocolEventType,
): Promise<SocialEvent | undefined> => {
  const [cast, other] = await selectNewestCasts(db);
  if (cast === undefined) return undefined;
  const at = new Date(clock());
  const ts = fromUnixMs(at.getTime());
  const base = { logId: 0, part: 0, at, fid: cast.fid, ts };
  switch (type) {
    case 'cast.created':
    case 'cast.deleted': {
      const said = { castType: 0, text: '', mentions: [], mentionPositions: [], embeds: [], signer: new Uint8Array() };
      return { ...base, type, hash: cast.hash, ...said, parentFid: null, parentHash: null, parentUrl: null };
    }
    case 'user.created':
    case 'user.updated':
      return { ...base, type };
    case 'follow.created':
    case 'follow.deleted':
      return { ...base, type, targetFid: other?.fid ?? cast.fid };
    case 'reaction.created':
    case 'reaction.deleted':
      return { ...base, type, reactionType: 1, targetFid: cast.fid, targetHash: cast.hash };
  }
};

/**
 * Calls the receiver of a webhook once with a sample of an event, signed like a real one. Nothing is stored.
 * @throws AppError `invalid` if nothing is stored yet to make a sample of
 */
export const sendSample = async (
  dependencies: WebhookDependencies & {
    readonly reads: Reads;
    readonly outbound: OutboundClient;
    readonly meter: DeliveryMeter;
  },
  { webhook, secrets }: OwnWebhook,
  type: ProtocolEventType,
): Promise<CallResult & { readonly body: string }> => {
  const { reads, outbound, meter } = dependencies;
  const event = await sampleEvent(dependencies, type);
  const dialect = webhook.dialect as Dialect;
  const events = event === undefined ? [] : [event];
  const [rendered] = viewEvents(events, await hydrateEvents(reads.forDialect(dialect).open(), events));
  const body = rendered?.toString();
  if (body === undefined) throw invalidField('type', 'No cast is stored yet from which a sample could be made.');
  const call = { targetUrl: webhook.targetUrl, dialect, body, secrets };
  return {
    body,
    ...(await callWebhook({ outbound, meter }, { ...call, deliveryId: randomUUID(), eventId: '0-0', number: 1 })),
  };
};
