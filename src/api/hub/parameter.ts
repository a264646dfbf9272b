import Type from 'typebox';
import { invalidField } from '../../error.js';
import { type EnumNames, readBytes } from '../../protocol/hub-json/scalar.js';
import { LinkSubtype, linkSubtypeOf } from '../../protocol/link-subtype.js';
import { HubLinkType } from '../../schema/hub/link.js';
import { HubReactionType } from '../../schema/hub/reaction.js';
import { HubFid } from '../../schema/hub/scalar.js';

/** A fid in a query; the contract leaves the bound out in some places, a fid is at least 1 everywhere. */
export const fidQuery = HubFid;

/** The names of the contract, those of hubs and the numbers behind them are taken, whatever names answers have. */
export const reactionTypeQuery = Type.Union([
  HubReactionType,
  Type.String({ pattern: '^(?:REACTION_TYPE_(?:LIKE|RECAST)|Like|Recast|[12])$' }),
]);

/**
 * Types of links that are told apart here; the protocol allows any word of up to 8 bytes. The contract's default is
 * kept inside a union, where it is not filled in: links of every type are listed when none is named.
 */
export const linkTypeQuery = Type.Union([HubLinkType]);

const ALL_LINK_SUBTYPES = Object.values(LinkSubtype);

/** @returns the `subtype`s that a list of links asks for; all when no type is given. */
export const linkSubtypesOf = (linkType: string | undefined): number[] =>
  linkType === undefined ? ALL_LINK_SUBTYPES : [linkSubtypeOf(linkType)];

/** @returns the number of a name of an enumeration, or of a number in digits. @throws AppError invalid with `property` */
export const enumOf = (text: string, property: string, names: EnumNames): number => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : names.value(text);
  if (value === undefined) throw invalidField(property, `${property} must be a name or number of its enumeration`);
  return value;
};

/**
 * @param text hex with `0x`, as the schema of the query has checked
 * @returns its bytes
 * @throws AppError invalid with `property` when there are not `length` of them
 */
export const bytesOf = (text: string, property: string, length: number): Uint8Array => {
  const bytes = text.startsWith('0x') ? readBytes(text, property) : undefined;
  if (bytes?.length !== length) throw invalidField(property, `${property} must be 0x and ${length * 2} hex digits`);
  return bytes;
};
