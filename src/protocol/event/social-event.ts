/** The types of events that webhooks and streams send, as the contract names them. */
export const EVENT_TYPES = [
  'cast.created',
  'cast.deleted',
  'user.created',
  'user.updated',
  'follow.created',
  'follow.deleted',
  'reaction.created',
  'reaction.deleted',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** An embed of a cast; `hash` is 40 hex digits in lower case. */
export type EventEmbed = { readonly url: string } | { readonly fid: number; readonly hash: string };

/** What happened, as one row of the event log (`hub_event`) says it. */
interface LoggedEvent<Type extends EventType> {
  readonly type: Type;
  /** Id of the log row; ids grow in the order in which the rows were committed. */
  readonly logId: number;
  /** Position among the events of the same row, from 0: a compact link state removes several follows at once. */
  readonly part: number;
  /** Time of the log row. */
  readonly at: Date;
  /** The account that acted. */
  readonly fid: number;
}

export interface CastEvent extends LoggedEvent<'cast.created' | 'cast.deleted'> {
  /** 40 hex digits in lower case, as all hashes here. */
  readonly hash: string;
  /** Protocol seconds, of the cast itself also when it was deleted. */
  readonly ts: number;
  /** `CastType` of the protocol. */
  readonly castType: number;
  /** As signed: without the names of the mentioned accounts. */
  readonly text: string;
  readonly mentions: readonly number[];
  /** Byte offsets into the UTF-8 text, one for each mention. */
  readonly mentionPositions: readonly number[];
  readonly embeds: readonly EventEmbed[];
  readonly parentFid: number | null;
  readonly parentHash: string | null;
  readonly parentUrl: string | null;
  readonly signer: Uint8Array;
}

export interface UserEvent extends LoggedEvent<'user.created' | 'user.updated'> {
  /** Of a registration, the address that got the account; of a transfer, the address that had it. Hex without 0x. */
  readonly custody?: string;
}

export interface FollowEvent extends LoggedEvent<'follow.created' | 'follow.deleted'> {
  readonly targetFid: number;
  /** Protocol seconds of the follow itself, also when it was removed. */
  readonly ts: number;
}

export interface ReactionEvent extends LoggedEvent<'reaction.created' | 'reaction.deleted'> {
  /** 1 like, 2 recast. */
  readonly reactionType: 1 | 2;
  readonly targetFid: number;
  readonly targetHash: string;
  /** Protocol seconds of the reaction itself, also when it was removed. */
  readonly ts: number;
}

export type SocialEvent = CastEvent | UserEvent | FollowEvent | ReactionEvent;
