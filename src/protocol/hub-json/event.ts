import { type HubEvent, HubEventType, type Message } from '@farcaster/core';
import { decodeMessage } from '../wire/decode.js';
import { envelopeFromMessage } from '../wire/envelope.js';
import { messageToJson } from './message.js';
import { onChainEventToJson } from './onchain.js';
import { usernameProofToJson } from './proof.js';
import type { JsonObject } from './scalar.js';

/**
 * @returns the contract's `HubEvent`: merge, prune and revoke of a message, a username proof, an onchain event. An
 *   event of another type only has `type` and `id`.
 *
 * A message inside must contain `dataBytes` if the protocol's package does not know its type, as the package drops what
 * it cannot decode.
 * @throws AppError invalid for a message without data
 */
export const hubEventToJson = (event: HubEvent): JsonObject => {
  const type = `HUB_EVENT_TYPE_${HubEventType[event.type] ?? event.type}`;
  return { type, id: event.id, ...bodyToJson(event) };
};

const bodyToJson = (event: HubEvent): JsonObject => {
  const { mergeMessageBody: merge, mergeUsernameProofBody: name } = event;
  if (merge?.message) {
    const deletedMessages = merge.deletedMessages.map(toJson);
    return { mergeMessageBody: { message: toJson(merge.message), deletedMessages } };
  }
  if (event.pruneMessageBody?.message) return { pruneMessageBody: { message: toJson(event.pruneMessageBody.message) } };
  if (event.revokeMessageBody?.message) {
    return { revokeMessageBody: { message: toJson(event.revokeMessageBody.message) } };
  }
  if (name) {
    const body: Record<string, unknown> = {};
    if (name.usernameProof) body.usernameProof = usernameProofToJson(name.usernameProof);
    if (name.deletedUsernameProof) body.deletedUsernameProof = usernameProofToJson(name.deletedUsernameProof);
    if (name.usernameProofMessage) body.usernameProofMessage = toJson(name.usernameProofMessage);
    if (name.deletedUsernameProofMessage) body.deletedUsernameProofMessage = toJson(name.deletedUsernameProofMessage);
    return { mergeUsernameProofBody: body };
  }
  const onChainEvent = event.mergeOnChainEventBody?.onChainEvent;
  return onChainEvent ? { mergeOnChainEventBody: { onChainEvent: onChainEventToJson(onChainEvent) } } : {};
};

const toJson = (message: Message): JsonObject => messageToJson(decodeMessage(envelopeFromMessage(message)));
