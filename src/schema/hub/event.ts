import Type, { type Static } from 'typebox';
import { named } from '../named.js';
import { HubMessage } from './message.js';
import { HubOnChainEvent } from './onchain-event.js';
import { HubUserNameProof } from './username.js';

export const HubMergeMessageBody = named(
  'HubMergeMessageBody',
  Type.Object({ message: HubMessage, deletedMessages: Type.Array(HubMessage) }),
);
export const HubPruneMessageBody = named('HubPruneMessageBody', Type.Object({ message: HubMessage }));
export const HubRevokeMessageBody = named('HubRevokeMessageBody', Type.Object({ message: HubMessage }));
export const HubMergeUserNameProofBody = named(
  'HubMergeUserNameProofBody',
  Type.Object({
    usernameProof: Type.Optional(HubUserNameProof),
    deletedUsernameProof: Type.Optional(HubUserNameProof),
    usernameProofMessage: Type.Optional(HubMessage),
    deletedUsernameProofMessage: Type.Optional(HubMessage),
  }),
);
export const HubMergeOnChainEventBody = named(
  'HubMergeOnChainEventBody',
  Type.Object({ onChainEvent: HubOnChainEvent }),
);
export const HubEventMergeMessage = named(
  'HubEventMergeMessage',
  Type.Object({ type: Type.String(), id: Type.Integer({ format: 'uint64' }), mergeMessageBody: HubMergeMessageBody }),
);
export const HubEventPruneMessage = named(
  'HubEventPruneMessage',
  Type.Object({ type: Type.String(), id: Type.Integer({ format: 'uint64' }), pruneMessageBody: HubPruneMessageBody }),
);
export const HubEventRevokeMessage = named(
  'HubEventRevokeMessage',
  Type.Object({ type: Type.String(), id: Type.Integer({ format: 'uint64' }), revokeMessageBody: HubRevokeMessageBody }),
);
export const HubEventMergeUsernameProof = named(
  'HubEventMergeUsernameProof',
  Type.Object({
    type: Type.String(),
    id: Type.Integer({ format: 'uint64' }),
    mergeUsernameProofBody: HubMergeUserNameProofBody,
  }),
);
export const HubEventMergeOnChainEvent = named(
  'HubEventMergeOnChainEvent',
  Type.Object({
    type: Type.String(),
    id: Type.Integer({ format: 'uint64' }),
    mergeOnChainEventBody: HubMergeOnChainEventBody,
  }),
);
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

export const HubEventsResponse = named(
  'HubEventsResponse',
  Type.Object({ nextPageEventId: Type.Integer(), events: Type.Array(HubEvent) }),
);
