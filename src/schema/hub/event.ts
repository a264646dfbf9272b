import Type, { type Static } from 'typebox';
import { HubMessage } from './message.js';
import { HubOnChainEvent } from './onchain-event.js';
import { HubUserNameProof } from './username.js';
import { named } from '../named.js';

export const HubMergeMessageBody = named(
  'HubMergeMessageBody',
  Type.Object({ message: HubMessage, deletedMessages: Type.Array(HubMessage) }),
);
export type HubMergeMessageBody = Static<typeof HubMergeMessageBody>;

export const HubPruneMessageBody = named('HubPruneMessageBody', Type.Object({ message: HubMessage }));
export type HubPruneMessageBody = Static<typeof HubPruneMessageBody>;

export const HubRevokeMessageBody = named('HubRevokeMessageBody', Type.Object({ message: HubMessage }));
export type HubRevokeMessageBody = Static<typeof HubRevokeMessageBody>;

export const HubMergeUserNameProofBody = named(
  'HubMergeUserNameProofBody',
  Type.Object({
    usernameProof: Type.Optional(HubUserNameProof),
    deletedUsernameProof: Type.Optional(HubUserNameProof),
    usernameProofMessage: Type.Optional(HubMessage),
    deletedUsernameProofMessage: Type.Optional(HubMessage),
  }),
);
export type HubMergeUserNameProofBody = Static<typeof HubMergeUserNameProofBody>;

export const HubMergeOnChainEventBody = named(
  'HubMergeOnChainEventBody',
  Type.Object({ onChainEvent: HubOnChainEvent }),
);
export type HubMergeOnChainEventBody = Static<typeof HubMergeOnChainEventBody>;

export const HubEventMergeMessage = named(
  'HubEventMergeMessage',
  Type.Object({ type: Type.String(), id: Type.Integer({ format: 'uint64' }), mergeMessageBody: HubMergeMessageBody }),
);
export type HubEventMergeMessage = Static<typeof HubEventMergeMessage>;

export const HubEventPruneMessage = named(
  'HubEventPruneMessage',
  Type.Object({ type: Type.String(), id: Type.Integer({ format: 'uint64' }), pruneMessageBody: HubPruneMessageBody }),
);
export type HubEventPruneMessage = Static<typeof HubEventPruneMessage>;

export const HubEventRevokeMessage = named(
  'HubEventRevokeMessage',
  Type.Object({ type: Type.String(), id: Type.Integer({ format: 'uint64' }), revokeMessageBody: HubRevokeMessageBody }),
);
export type HubEventRevokeMessage = Static<typeof HubEventRevokeMessage>;

export const HubEventMergeUsernameProof = named(
  'HubEventMergeUsernameProof',
  Type.Object({
    type: Type.String(),
    id: Type.Integer({ format: 'uint64' }),
    mergeUsernameProofBody: HubMergeUserNameProofBody,
  }),
);
export type HubEventMergeUsernameProof = Static<typeof HubEventMergeUsernameProof>;

export const HubEventMergeOnChainEvent = named(
  'HubEventMergeOnChainEvent',
  Type.Object({
    type: Type.String(),
    id: Type.Integer({ format: 'uint64' }),
    mergeOnChainEventBody: HubMergeOnChainEventBody,
  }),
);
export type HubEventMergeOnChainEvent = Static<typeof HubEventMergeOnChainEvent>;

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
