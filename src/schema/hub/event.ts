import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { HubMessage } from './message.js';
import { HubOnChainEvent } from './onchain-event.js';
import { HubUserNameProof } from './username.js';

export const HubMergeMessageBody = namedObject('HubMergeMessageBody', {
  message: HubMessage,
  deletedMessages: Type.Array(HubMessage),
});
export const HubPruneMessageBody = namedObject('HubPruneMessageBody', { message: HubMessage });
export const HubRevokeMessageBody = namedObject('HubRevokeMessageBody', { message: HubMessage });
export const HubMergeUserNameProofBody = namedObject('HubMergeUserNameProofBody', {
  usernameProof: Type.Optional(HubUserNameProof),
  deletedUsernameProof: Type.Optional(HubUserNameProof),
  usernameProofMessage: Type.Optional(HubMessage),
  deletedUsernameProofMessage: Type.Optional(HubMessage),
});
export const HubMergeOnChainEventBody = namedObject('HubMergeOnChainEventBody', { onChainEvent: HubOnChainEvent });
const common = { type: Type.String(), id: Type.Integer({ format: 'uint64' }) };
export const HubEventMergeMessage = namedObject('HubEventMergeMessage', {
  ...common,
  mergeMessageBody: HubMergeMessageBody,
});
export const HubEventPruneMessage = namedObject('HubEventPruneMessage', {
  ...common,
  pruneMessageBody: HubPruneMessageBody,
});
export const HubEventRevokeMessage = namedObject('HubEventRevokeMessage', {
  ...common,
  revokeMessageBody: HubRevokeMessageBody,
});
export const HubEventMergeUsernameProof = namedObject('HubEventMergeUsernameProof', {
  ...common,
  mergeUsernameProofBody: HubMergeUserNameProofBody,
});
export const HubEventMergeOnChainEvent = namedObject('HubEventMergeOnChainEvent', {
  ...common,
  mergeOnChainEventBody: HubMergeOnChainEventBody,
});
export const HubEvent = named(
  'HubEvent',
  Type.Union([
    HubEventMergeMessage,
    HubEventPruneMessage,
    HubEventRevokeMessage,
    HubEventMergeUsernameProof,
    HubEventMergeOnChainEvent,
  ]),
);
export type HubEvent = Static<typeof HubEvent>;

export const HubEventsResponse = namedObject('HubEventsResponse', {
  nextPageEventId: Type.Integer(),
  events: Type.Array(HubEvent),
});
