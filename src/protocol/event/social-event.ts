/** The types of events that follow from the protocol's messages and contracts, as the contract names them. */
export const PROTOCOL_EVENT_TYPES = [
  'cast.created',
  'cast.deleted',
  'user.created',
  'user.updated',
  'follow.created',
  'follow.deleted',
  'reaction.created',
  'reaction.deleted',
] as const;
export type ProtocolEventType = (typeof PROTOCOL_EVENT_TYPES)[number];

/** The types of events that webhooks and streams send. */
export const EVENT_TYPES = [...PROTOCOL_EVENT_TYPES, 'trade.created'] as const;
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

/** A token and how much of it was traded. */
export interface TradedToken {
  /** Contract, lower case; the network's coin is `0xeeee…eeee`. */
  readonly address: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly imageUrl: string | null;
  /** In the smallest unit; null: the contract does not report it. */
  readonly totalSupply: string | null;
  /** Decimal number of whole tokens. */
  readonly amount: string;
}

/** What the log holds of a trade: everything that its event shows, except the trader. */
export interface LoggedTrade {
  readonly network: string;
  /** With 0x, as the address of the pool. */
  readonly txHash: string;
  readonly sold: TradedToken;
  readonly bought: TradedToken;
  /** Worth of either side in US dollars; null: unknown. */
  readonly usd: number | null;
  /** Null: none or several were used. */
  readonly pool: { readonly address: string; readonly family: string | null; readonly version: string | null } | null;
}

export interface TradeEvent extends LoggedEvent<'trade.created'>, LoggedTrade {}

export type SocialEvent = CastEvent | UserEvent | FollowEvent | ReactionEvent | TradeEvent;
