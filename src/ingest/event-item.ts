import { HubEventType } from '@farcaster/core';
import type { IngestItem } from './item.js';
import type { RawHubEvent } from './wire.js';

/** Event types about the log, which concern no account. */
const SILENT: ReadonlySet<number> = new Set([HubEventType.MERGE_FAILURE, HubEventType.BLOCK_CONFIRMED]);

/** Highest requested event type. A hub sends only the types that a subscriber names, also unknown ones. */
const LAST_TYPE = 63;

/** All event types, also future ones, so that the ids have no gaps and unknown types are counted. */
export const ALL_EVENT_TYPES: readonly number[] = Array.from({ length: LAST_TYPE }, (_, index) => index + 1);

/**
 * The items of a hub event in order: the new message first, so that it replaces conflicting messages by the conflict
 * rules, then the other messages that the hub removed.
 * @returns undefined for an unknown event type; empty for one that changes nothing
 */
export function itemsOfHubEvent(event: RawHubEvent): IngestItem[] | undefined {
  const { type, message } = event;
  if (type === HubEventType.MERGE_MESSAGE) return [...merged(message), ...removed(event, 'replaced')];
  if (type === HubEventType.PRUNE_MESSAGE && message) return [{ kind: 'removal', reason: 'prune', wire: message }];
  if (type === HubEventType.REVOKE_MESSAGE && message) return [{ kind: 'removal', reason: 'revoke', wire: message }];
  if (type === HubEventType.MERGE_ON_CHAIN_EVENT && event.onchain) return [{ kind: 'onchain', event: event.onchain }];
  if (type === HubEventType.MERGE_USERNAME_PROOF) return proven(event);
  return SILENT.has(type) ? [] : undefined;
}

const merged = (wire: Uint8Array | undefined): IngestItem[] => (wire === undefined ? [] : [{ kind: 'message', wire }]);

const removed = (event: RawHubEvent, reason: 'replaced' | 'revoke'): IngestItem[] =>
  event.deleted.map((wire) => ({ kind: 'removal', reason, wire }));

/**
 * A proof that came in a message is handled as that message. Hubs also report its pruning and revoking by this type.
 */
function proven(event: RawHubEvent): IngestItem[] {
  if (event.message) return [...merged(event.message), ...removed(event, 'replaced')];
  if (event.proof) return [{ kind: 'proof', proof: event.proof }, ...removed(event, 'replaced')];
  return removed(event, 'revoke');
}
