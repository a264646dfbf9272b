import Type from 'typebox';
import { invalidField } from '../../error.js';
import { fromHex } from '../../hex.js';
import { ONLY_SHARD } from '../../protocol/event/place.js';
import type { EnumNames } from '../../protocol/hub-json/scalar.js';
import { LinkSubtype } from '../../protocol/link-subtype.js';
import { HubLinkType, OtherLinkType } from '../../schema/hub/link.js';
import { HubReactionType } from '../../schema/hub/reaction.js';
import { HubCastHash, HubFid } from '../../schema/hub/scalar.js';

/** All data is in one shard. Hubs number shards from 1; 0 means no particular shard, so it is accepted, too. */
const SHARDS = [0, ONLY_SHARD];

/**
 * @param says what hubs say in this case, which their clients may look for; it precedes our own words
 * @throws AppError invalid with `property` for another shard than that of this service
 */
export const requireShard = (shard: number | undefined, property: string, says?: string): void => {
  if (shard !== undefined && !SHARDS.includes(shard)) {
    const reason = `${property} must be ${ONLY_SHARD}, the only shard here`;
    throw invalidField(property, says === undefined ? reason : `${says}: ${reason}`);
  }
};

/** The hash of a cast, with or without 0x. */
export const hashQuery = Type.Union([HubCastHash, Type.String({ pattern: '^[0-9a-fA-F]{40}$' })]);

/** A fid in a query. The contract omits the minimum in some places, but a fid is at least 1. */
export const fidQuery = HubFid;

/** Numbers of `ReactionType`. */
export const ALL_REACTION_TYPES = [1, 2];

/** Accepts the names of the contract, the names of hubs and their numbers, in any dialect. */
export const reactionTypeQuery = Type.Union([
  HubReactionType,
  Type.String({ pattern: '^(?:REACTION_TYPE_(?:LIKE|RECAST)|Like|Recast|[12])$' }),
]);

/**
 * Any type of links that the protocol allows, as hubs take it. The union keeps the validator from filling in the contract's
 * default: without a type, links of every type are listed.
 */
export const linkTypeQuery = Type.Union([HubLinkType, OtherLinkType]);

export const ALL_LINK_SUBTYPES = Object.values(LinkSubtype);

/** @param text a name of the enumeration, or its number in digits. @throws AppError invalid with `property` */
export const enumOf = (text: string, property: string, names: EnumNames): number => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : names.value(text);
  if (value === undefined) throw invalidField(property, `${property} must be a name or number of its enumeration`);
  return value;
};

/**
 * @param text hex, with or without `0x`
 * @throws AppError invalid with `property` unless it has `length` bytes
 */
export const bytesOf = (text: string, property: string, length: number): Uint8Array => {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  const bytes = /^(?:[0-9a-fA-F]{2})+$/.test(digits) ? fromHex(digits) : undefined;
  if (bytes?.length !== length) throw invalidField(property, `${property} must be 0x and ${length * 2} hex digits`);
  return bytes;
};
