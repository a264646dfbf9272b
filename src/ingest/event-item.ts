import { HubEventType } from '@farcaster/core';
import type { RawHubEvent } from './wire.js';
import type { IngestItem } from './item.js';

/** Types that say something about the log and nothing about accounts. */
const SILENT: ReadonlySet<number> = new Set([HubEventType.MERGE_FAILURE, HubEventType.BLOCK_CONFIRMED]);

/** Highest event type that is asked for: a hub sends only the types that a subscriber names, unknown ones included. */
const LAST_TYPE = 63;

/** Every event type, today's and tomorrow's, so that ids stay without holes and new types are counted. */
export const ALL_EVENT_TYPES: readonly number[] = Array.from({ length: LAST_TYPE }, (_, index) => index + 1);

/**
 * What an event of a hub says, in the order in which it must be done: the new message first, so that it replaces its
 * rival by the conflict rules, then whatever else the hub took away.
 * @returns undefined for an event type that is not known here; empty for one that changes nothing.
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

/** A proof that a message carried comes as that message; hubs report its pruning and revoking by this type, too. */
function proven(event: RawHubEvent): IngestItem[] {
  if (event.message) return [...merged(event.message), ...removed(event, 'replaced')];
  if (event.proof) return [{ kind: 'proof', proof: event.proof }, ...removed(event, 'replaced')];
  return removed(event, 'revoke');
}
