import { HubEventType } from '@farcaster/core';
import { CHANNEL_OWNER_CHANGE_HINT } from '../protocol/channel/type.js';
import { encodeByteString, encodeVarint } from '../protocol/wire/wire.js';
import { encodeOnchain, type IngestItem, type OnchainItem } from './item.js';
import type { RawHubEvent } from './wire.js';

/** Event types that store nothing. */
const SILENT: ReadonlySet<number> = new Set([
  HubEventType.MERGE_FAILURE,
  HubEventType.BLOCK_CONFIRMED,
  // Who owns a channel follows from registrations and verifications, which have events of their own.
  CHANNEL_OWNER_CHANGE_HINT,
]);

/** Highest requested event type. A hub sends only the types that a subscriber names, also unknown ones. */
const LAST_TYPE = 63;

/** All event types, also future ones, so that the ids have no gaps and unknown types are counted. */
export const ALL_EVENT_TYPES: readonly number[] = Array.from({ length: LAST_TYPE }, (_, index) => index + 1);

/**
 * The items of a hub event in order: the new message first, so that it replaces conflicting messages by the conflict
 * rules, then the other messages that the hub removed.
 * @returns undefined for an unknown event type; empty for one that changes nothing
 */
export const itemsOfHubEvent = (event: RawHubEvent): IngestItem[] | undefined => {
  const { type, message } = event;
  if (type === HubEventType.MERGE_MESSAGE) return [...merged(message), ...removed(event, 'replaced')];
  if (type === HubEventType.PRUNE_MESSAGE && message) return [{ kind: 'removal', reason: 'prune', wire: message }];
  if (type === HubEventType.REVOKE_MESSAGE && message) return [{ kind: 'removal', reason: 'revoke', wire: message }];
  if (type === HubEventType.MERGE_ON_CHAIN_EVENT && event.onchain) return onchain(event);
  if (type === HubEventType.MERGE_USERNAME_PROOF) return proven(event);
  return SILENT.has(type) ? [] : undefined;
};

const onchain = ({ onchain: event, onchainWire: wire }: RawHubEvent): IngestItem[] =>
  event === undefined ? [] : [{ kind: 'onchain', event, ...(wire && { wire }) }];

const merged = (wire: Uint8Array | undefined): IngestItem[] => (wire === undefined ? [] : [{ kind: 'message', wire }]);

const removed = (event: RawHubEvent, reason: 'replaced' | 'revoke'): IngestItem[] =>
  event.deleted.map((wire) => ({ kind: 'removal', reason, wire }));

/**
 * A proof that came in a message is handled as that message. Hubs also report its pruning and revoking by this type.
 */
const proven = (event: RawHubEvent): IngestItem[] => {
  if (event.message) return [...merged(event.message), ...removed(event, 'replaced')];
  if (event.proof) return [{ kind: 'proof', proof: event.proof }, ...removed(event, 'replaced')];
  return removed(event, 'revoke');
};

/** Fields of `HubEvent`: its type, and the body of MERGE_ON_CHAIN_EVENT, whose field 1 is the event. */
const EVENT_FIELD = { type: 1, onchain: 11 } as const;

/** @returns the protobuf `HubEvent` that merges an onchain event, without an id */
export const encodeOnchainEvent = (item: Pick<OnchainItem, 'event' | 'wire'>): Uint8Array =>
  new Uint8Array(
    Buffer.concat([
      encodeVarint(EVENT_FIELD.type * 8),
      encodeVarint(HubEventType.MERGE_ON_CHAIN_EVENT),
      encodeByteString(EVENT_FIELD.onchain, encodeByteString(1, encodeOnchain(item))),
    ]),
  );
