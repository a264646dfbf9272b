import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { UserDehydrated } from '../social/user-dehydrated.js';
import { stringEnum } from '../string-enum.js';
import { Fungible, FungibleBalance } from './fungible.js';

/** Time before now that a response looks at. */
export const TIME_WINDOWS = ['1h', '6h', '12h', '24h', '7d'] as const;

const Pool = Type.Object({
  object: stringEnum(['pool']),
  address: Type.String(),
  protocol_family: Type.Optional(Type.String()),
  protocol_version: Type.Optional(Type.String()),
});

export const FungibleTrade = namedObject('FungibleTrade', {
  object: stringEnum(['trade']),
  trader: UserDehydrated,
  pool: Type.Optional(Pool),
  transaction: Type.Object({
    hash: Type.String(),
    network: Type.Object({ object: stringEnum(['network']), name: Type.String() }),
    net_transfer: Type.Object({
      object: stringEnum(['net_transfer']),
      sending_fungible: FungibleBalance,
      receiving_fungible: FungibleBalance,
    }),
  }),
});
export type FungibleTrade = Static<typeof FungibleTrade>;

export const FungibleTradesResponse = namedObject('FungibleTradesResponse', {
  object: stringEnum(['fungible_trades']),
  trades: Type.Array(FungibleTrade),
});

export const TrendingFungiblesResponse = namedObject('TrendingFungiblesResponse', {
  trending: Type.Array(
    Type.Object({
      object: stringEnum(['trending_fungible']),
      fungible: Type.Object({
        ...Fungible.properties,
        price: Type.Optional(Type.Object({ in_usd: Type.String({ description: 'Decimal text.' }) })),
      }),
    }),
  ),
});
