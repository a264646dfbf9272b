import {
  HubEvent,
  HubEventType,
  IdRegisterEventType,
  type MergeMessageBody,
  type MergeUserNameProofBody,
  type Message,
  type MessageData,
  MessageType,
  type OnChainEvent,
  OnChainEventType,
} from '@farcaster/core';
import { bareHex } from '../../hex.js';
import { decodeDataBytes } from '../wire/decode.js';
import { eventWithDataBytes } from '../wire/sent-message.js';
import type {
  CastEvent,
  EventEmbed,
  FollowEvent,
  LoggedTrade,
  ReactionEvent,
  SocialEvent,
  UserEvent,
} from './social-event.js';

/** Type of the rows of the event log that are trades: below zero, because the protocol's types are above it. */
export const TRADE_ROW = -1;

/** @returns the body of a row of the event log with the type `TRADE_ROW` */
export const encodeTrade = (trade: LoggedTrade): Uint8Array => Buffer.from(JSON.stringify(trade));

const decodeTrade = (body: Uint8Array): LoggedTrade => JSON.parse(Buffer.from(body).toString()) as LoggedTrade;

/** A row of the event log (`hub_event`). */
export interface EventLogRow {
  readonly id: number;
  readonly fid: number;
  /** `HubEventType` of the protocol, or `TRADE_ROW`. */
  readonly type: number;
  /** Begin of the transaction that wrote it, to the millisecond. */
  readonly at: Date;
  /** The protobuf `HubEvent`, without its id; of a trade as `encodeTrade` returns it. */
  readonly body: Uint8Array;
}

/** What all events of a row have in common. */
type Origin = Pick<SocialEvent, 'logId' | 'at' | 'fid'>;

const originOf = ({ id, at, fid }: EventLogRow): Origin => ({ logId: id, at, fid });

/** A message of the log; rows contain the signed bytes only. */
interface LoggedMessage {
  readonly message: Message;
  readonly data: MessageData;
}

const decoded = (message: Message): LoggedMessage => ({
  message,
  data: message.data ?? decodeDataBytes(message.dataBytes ?? new Uint8Array(0)),
});

const embedsOf = ({ embeds, embedsDeprecated }: NonNullable<MessageData['castAddBody']>): EventEmbed[] => [
  ...embedsDeprecated.map((url) => ({ url })),
  ...embeds.flatMap(({ url, castId }): EventEmbed[] => {
    if (castId !== undefined) return [{ fid: castId.fid, hash: bareHex(castId.hash) }];
    return url === undefined ? [] : [{ url }];
  }),
];

const castEvents = (type: CastEvent['type'], { message, data }: LoggedMessage, origin: Origin): CastEvent[] => {
  const { castAddBody: body, timestamp: ts } = data;
  if (body === undefined) return [];
  const { parentCastId: parent } = body;
  return [
    {
      type,
      ...origin,
      part: 0,
      hash: bareHex(message.hash),
      ts,
      castType: body.type,
      text: body.text,
      mentions: body.mentions,
      mentionPositions: body.mentionsPositions,
      embeds: embedsOf(body),
      parentFid: parent?.fid ?? null,
      parentHash: parent === undefined ? null : bareHex(parent.hash),
      parentUrl: body.parentUrl ?? null,
      signer: message.signer,
    },
  ];
};

/** @returns the follow that a link message adds or removes; none for other types of links */
const followEvents = (type: FollowEvent['type'], { data }: LoggedMessage, origin: Origin, part = 0): FollowEvent[] => {
  const { linkBody: link, timestamp: ts } = data;
  if (link?.type !== 'follow' || link.targetFid === undefined) return [];
  return [{ type, ...origin, part, targetFid: link.targetFid, ts }];
};

/** @returns the reaction that a message adds or removes; none for reactions to URLs, which have no cast to show */
const reactionEvents = (type: ReactionEvent['type'], { data }: LoggedMessage, origin: Origin): ReactionEvent[] => {
  const { reactionBody: reaction, timestamp: ts } = data;
  const target = reaction?.targetCastId;
  if (target === undefined || (reaction?.type !== 1 && reaction?.type !== 2)) return [];
  const { fid: targetFid, hash } = target;
  return [{ type, ...origin, part: 0, reactionType: reaction.type, targetFid, targetHash: bareHex(hash), ts }];
};

const userEvent = (type: UserEvent['type'], origin: Origin): readonly UserEvent[] => [{ type, ...origin, part: 0 }];

const custodyEvent = (type: UserEvent['type'], origin: Origin, custody?: Uint8Array): readonly UserEvent[] =>
  userEvent(type, origin).map((event) => ({ ...event, custody: bareHex(custody ?? new Uint8Array()) }));

/** @returns the first deleted message of this type */
const deletedOf = ({ deletedMessages }: MergeMessageBody, type: MessageType): LoggedMessage | undefined =>
  deletedMessages.map(decoded).find(({ data }) => data.type === type);

/** Follows that a new compact state of links left out; the state that it replaced is among the deleted messages, too. */
const followsRemovedByState = ({ deletedMessages }: MergeMessageBody, origin: Origin): FollowEvent[] => {
  const events: FollowEvent[] = [];
  for (const message of deletedMessages.map(decoded)) {
    if (message.data.type !== MessageType.LINK_ADD) continue;
    events.push(...followEvents('follow.deleted', message, origin, events.length));
  }
  return events;
};

/** Keys of this type sign messages; those of the other type are auth addresses. */
export const SIGNER_KEY_TYPE = 1;
/** The bytes of a key before the 20 bytes of an Ethereum address. */
const PADDING = 12;

/** @returns whether a removed key is an auth address: messages and events that remove a key do not say its type */
const isPaddedAddress = (key: Uint8Array): boolean =>
  key.length > 0 && key.subarray(0, PADDING).every((byte) => byte === 0);

/** Auth addresses are part of a profile, other keys are not. */
const isAuthAddress = ({ keyAddBody: added, keyRemoveBody: removed }: MessageData): boolean =>
  (added !== undefined && added.keyType !== SIGNER_KEY_TYPE) || (removed !== undefined && isPaddedAddress(removed.key));

const messageEvents = (event: MergeMessageBody | undefined, origin: Origin): readonly SocialEvent[] => {
  if (event?.message === undefined) return [];
  const merged = decoded(event.message);
  switch (merged.data.type) {
    case MessageType.CAST_ADD:
      return castEvents('cast.created', merged, origin);
    case MessageType.CAST_REMOVE: {
      const removed = deletedOf(event, MessageType.CAST_ADD);
      return removed === undefined ? [] : castEvents('cast.deleted', removed, origin);
    }
    case MessageType.LINK_ADD:
      return deletedOf(event, MessageType.LINK_ADD) ? [] : followEvents('follow.created', merged, origin);
    case MessageType.LINK_REMOVE: {
      const removed = deletedOf(event, MessageType.LINK_ADD);
      return removed === undefined ? [] : followEvents('follow.deleted', removed, origin);
    }
    case MessageType.LINK_COMPACT_STATE:
      return followsRemovedByState(event, origin);
    case MessageType.REACTION_ADD:
      return deletedOf(event, MessageType.REACTION_ADD) ? [] : reactionEvents('reaction.created', merged, origin);
    case MessageType.REACTION_REMOVE: {
      const removed = deletedOf(event, MessageType.REACTION_ADD);
      return removed === undefined ? [] : reactionEvents('reaction.deleted', removed, origin);
    }
    case MessageType.VERIFICATION_REMOVE:
      return deletedOf(event, MessageType.VERIFICATION_ADD_ETH_ADDRESS) ? userEvent('user.updated', origin) : [];
    case MessageType.VERIFICATION_ADD_ETH_ADDRESS:
    case MessageType.USER_DATA_ADD:
      return userEvent('user.updated', origin);
    case MessageType.KEY_ADD:
    case MessageType.KEY_REMOVE:
      return isAuthAddress(merged.data) ? userEvent('user.updated', origin) : [];
    default:
      return [];
  }
};

const isAuthAddressEvent = ({ signerEventBody: body }: OnChainEvent): boolean =>
  body !== undefined && (body.keyType > SIGNER_KEY_TYPE || isPaddedAddress(body.key));

const onchainEvents = (event: OnChainEvent | undefined, origin: Origin): readonly UserEvent[] => {
  switch (event?.type) {
    case OnChainEventType.EVENT_TYPE_ID_REGISTER: {
      const { eventType: change, from, to } = event.idRegisterEventBody ?? {};
      if (change === IdRegisterEventType.REGISTER) return custodyEvent('user.created', origin, to);
      return change === IdRegisterEventType.TRANSFER ? custodyEvent('user.updated', origin, from) : [];
    }
    case OnChainEventType.EVENT_TYPE_TIER_PURCHASE:
      return userEvent('user.updated', origin);
    case OnChainEventType.EVENT_TYPE_SIGNER:
      return isAuthAddressEvent(event) ? userEvent('user.updated', origin) : [];
    default:
      return [];
  }
};

/** Fid 0 releases a name: no account has it afterwards. A proof that is only deleted was pruned or revoked. */
const proofEvents = (event: MergeUserNameProofBody | undefined, origin: Origin): readonly UserEvent[] =>
  event?.usernameProof === undefined || origin.fid === 0 ? [] : userEvent('user.updated', origin);

const decodeBody = ({ body }: EventLogRow): HubEvent => HubEvent.decode(eventWithDataBytes(body));

/**
 * Reads what a row of the event log means to the readers of webhooks and streams.
 *
 * - A cast, follow or reaction is created when its message is merged. One that replaced an equal follow or reaction, as
 *   a repeated follow does, changed nothing and is no event, neither a deletion nor a creation.
 * - It is deleted when a message removed it: a removal, or a compact state of links that left a follow out (one event
 *   for each). A removal of something that was not stored is no event. A follow that a compact state brings back is
 *   created again.
 * - A pruned or revoked message is no event: one removed key would be thousands of deletions.
 * - Only links of type `follow`, and only likes and recasts of casts.
 * - `user.updated`: user data, verifications, proofs of names, auth addresses, transfers (also by recovery) and purchases
 *   of a subscription. Signers, storage and a changed recovery address are not part of a profile. The account that lost
 *   a name to another one is not in the log.
 * @returns events in the order of `part`; most rows have at most one
 * @throws Error of the protocol's package for a body that is no `HubEvent`, and SyntaxError for a trade that is no JSON
 */
export const decodeEvents = (row: EventLogRow): readonly SocialEvent[] => {
  switch (row.type) {
    case HubEventType.MERGE_MESSAGE:
      return messageEvents(decodeBody(row).mergeMessageBody, originOf(row));
    case HubEventType.MERGE_ON_CHAIN_EVENT:
      return onchainEvents(decodeBody(row).mergeOnChainEventBody?.onChainEvent, originOf(row));
    case HubEventType.MERGE_USERNAME_PROOF:
      return proofEvents(decodeBody(row).mergeUsernameProofBody, originOf(row));
    case TRADE_ROW:
      return [{ type: 'trade.created', ...originOf(row), part: 0, ...decodeTrade(row.body) }];
    default:
      return [];
  }
};
