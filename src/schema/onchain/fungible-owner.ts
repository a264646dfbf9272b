import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { User } from '../social/user.js';
import { UserDehydrated } from '../social/user-dehydrated.js';

const owners = {
  all_relevant_fungible_owners_dehydrated: Type.Array(UserDehydrated),
  top_relevant_fungible_owners_hydrated: Type.Array(User),
};

export const RelevantFungibleOwnersResponse = namedObject('RelevantFungibleOwnersResponse', owners);
export type RelevantFungibleOwnersResponse = Static<typeof RelevantFungibleOwnersResponse>;

/** By the address of the token, as it was asked for. */
export const BulkRelevantFungibleOwnersResponse = named(
  'BulkRelevantFungibleOwnersResponse',
  Type.Unsafe<Record<string, RelevantFungibleOwnersResponse>>(
    Type.Object({}, { additionalProperties: Type.Object(owners) }),
  ),
);
