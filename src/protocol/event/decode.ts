import {
  HubEvent,
  IdRegisterEventType,
  type Message,
  MessageData,
  MessageType,
  type OnChainEvent,
  ReactionType,
} from '@farcaster/core';
import { bareHex } from '../../hex.js';
import type { CastEvent, EventEmbed, FollowEvent, ReactionEvent, SocialEvent, UserEvent } from './social-event.js';

/** A row of the event log. */
export interface LogRow {
  readonly id: number;
  readonly fid: number;
  readonly at: Date;
  /** The protobuf `HubEvent`. */
  readonly body: Uint8Array;
}

interface SignedData {
  readonly data: MessageData;
  readonly message: Message;
}

const dataOf = (message: Message): SignedData => ({
  message,
  data: MessageData.decode(message.dataBytes as Uint8Array),
});

/** The members that all events of a row have; `part` is set once all are known. */
const common = ({ id, at }: LogRow, fid: number) => ({ logId: id, part: 0, at, fid });

const embedsOf = ({ castAddBody }: MessageData): EventEmbed[] => [
  ...(castAddBody?.embedsDeprecated ?? []).map((url) => ({ url })),
  ...(castAddBody?.embeds ?? []).flatMap(({ castId, url }): EventEmbed[] => {
    if (castId) return [{ fid: castId.fid, hash: bareHex(castId.hash) }];
    return url === undefined ? [] : [{ url }];
  }),
];

const castEvent = (row: LogRow, type: CastEvent['type'], { data, message }: SignedData): CastEvent => {
  const body = data.castAddBody;
  return {
    type,
    ...common(row, data.fid),
    hash: bareHex(message.hash),
    ts: data.timestamp,
    castType: body?.type ?? 0,
    text: body?.text ?? '',
    mentions: body?.mentions ?? [],
    mentionPositions: body?.mentionsPositions ?? [],
    embeds: embedsOf(data),
    parentFid: body?.parentCastId?.fid ?? null,
    parentHash: body?.parentCastId ? bareHex(body.parentCastId.hash) : null,
    parentUrl: body?.parentUrl ?? null,
    signer: message.signer,
  };
};

const isFollow = ({ data: { type, linkBody } }: SignedData): boolean =>
  type === MessageType.LINK_ADD && linkBody?.type === 'follow' && linkBody.targetFid !== undefined;

const followEvent = (row: LogRow, type: FollowEvent['type'], { data }: SignedData): FollowEvent => ({
  type,
  ...common(row, data.fid),
  targetFid: data.linkBody?.targetFid as number,
  ts: data.timestamp,
});

const isCastReaction = ({ data: { type, reactionBody } }: SignedData): boolean =>
  type === MessageType.REACTION_ADD &&
  reactionBody?.targetCastId !== undefined &&
  (reactionBody.type === ReactionType.LIKE || reactionBody.type === ReactionType.RECAST);

const reactionEvent = (row: LogRow, type: ReactionEvent['type'], { data }: SignedData): ReactionEvent => {
  const body = data.reactionBody;
  return {
    type,
    ...common(row, data.fid),
    reactionType: body?.type === ReactionType.RECAST ? 2 : 1,
    targetFid: body?.targetCastId?.fid as number,
    targetHash: bareHex(body?.targetCastId?.hash as Uint8Array),
    ts: data.timestamp,
  };
};

const userEvent = (row: LogRow, type: UserEvent['type'], fid: number): UserEvent => ({ type, ...common(row, fid) });

/** Messages that change what `User` shows. */
const PROFILE: ReadonlySet<MessageType> = new Set([
  MessageType.USER_DATA_ADD,
  MessageType.VERIFICATION_ADD_ETH_ADDRESS,
  MessageType.VERIFICATION_REMOVE,
  MessageType.USERNAME_PROOF,
]);

/**
 * A message that replaces one with the same effect (a follow of the same account again) is no event. A message that takes
 * others back is one event for each of them: a compact state of links may remove several follows.
 */
const mergeEvents = (row: LogRow, signed: SignedData, replaced: readonly SignedData[]): SocialEvent[] => {
  const { type } = signed.data;
  if (type === MessageType.CAST_ADD) return [castEvent(row, 'cast.created', signed)];
  if (PROFILE.has(type)) return [userEvent(row, 'user.updated', signed.data.fid)];
  if (isFollow(signed)) return replaced.some(isFollow) ? [] : [followEvent(row, 'follow.created', signed)];
  if (isCastReaction(signed)) {
    return replaced.some(isCastReaction) ? [] : [reactionEvent(row, 'reaction.created', signed)];
  }
  return replaced.flatMap((one): SocialEvent[] => {
    if (one.data.type === MessageType.CAST_ADD) return [castEvent(row, 'cast.deleted', one)];
    if (isFollow(one)) return [followEvent(row, 'follow.deleted', one)];
    return isCastReaction(one) ? [reactionEvent(row, 'reaction.deleted', one)] : [];
  });
};

/** Registrations make a user; transfers and changes of the recovery address change one. */
const onchainEvents = (row: LogRow, event: OnChainEvent): SocialEvent[] => {
  const { idRegisterEventBody } = event;
  if (idRegisterEventBody === undefined) return [];
  const isNew = idRegisterEventBody.eventType === IdRegisterEventType.REGISTER;
  return [userEvent(row, isNew ? 'user.created' : 'user.updated', event.fid)];
};

const eventsOf = (row: LogRow): SocialEvent[] => {
  const { mergeMessageBody, mergeOnChainEventBody, mergeUsernameProofBody } = HubEvent.decode(row.body);
  if (mergeMessageBody?.message) {
    return mergeEvents(row, dataOf(mergeMessageBody.message), mergeMessageBody.deletedMessages.map(dataOf));
  }
  if (mergeOnChainEventBody?.onChainEvent) return onchainEvents(row, mergeOnChainEventBody.onChainEvent);
  const fid = mergeUsernameProofBody?.usernameProof?.fid;
  return fid ? [userEvent(row, 'user.updated', fid)] : [];
};

/**
 * @returns the events that a row of the log means, in order. Pruned and revoked messages are none: a removed key would
 *   make thousands of them.
 */
export const decodeEvents = (row: LogRow): SocialEvent[] => {
  const events = eventsOf(row);
  return events.length < 2 ? events : events.map((event, part) => ({ ...event, part }));
};
