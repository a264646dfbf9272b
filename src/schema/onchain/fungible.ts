import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { stringEnum } from '../string-enum.js';
import { Network } from './network.js';

/** An ERC-20 token. */
export const Fungible = namedObject('Fungible', {
  object: stringEnum(['fungible']),
  network: Network,
  name: Type.String(),
  symbol: Type.String(),
  address: Type.String(),
  decimals: Type.Integer(),
  total_supply: nullable(Type.String()),
  logo: nullable(Type.String()),
});
export type Fungible = Static<typeof Fungible>;

/** A token with the number of casts about it. */
export const SocialFungible = namedObject('SocialFungible', {
  object: stringEnum(['social_fungible']),
  fungible: Fungible,
  cast_count: Type.Integer(),
});

export const FungibleBalance = namedObject('FungibleBalance', {
  object: stringEnum(['fungible_balance']),
  token: Fungible,
  balance: Type.Object({
    in_token: Type.String({ description: 'Decimal text, in whole tokens.' }),
    in_usd: nullable(Type.Number({ description: 'Null when nobody knew a price.' })),
  }),
});
export type FungibleBalance = Static<typeof FungibleBalance>;

export const FungiblesResponseSchema = namedObject('FungiblesResponseSchema', {
  fungibles: Type.Array(SocialFungible),
});
