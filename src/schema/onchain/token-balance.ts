import Type, { type Static } from 'typebox';
import { EthAddress } from '../address.js';
import { named } from '../named.js';
import { nullable } from '../nullable.js';
import { NextCursor } from '../page.js';
import { UserDehydrated } from '../social/user-dehydrated.js';
import { Network } from './network.js';

/** Response item of the operation that reads any wallet; flat, unlike `TokenBalance`. */
export const WalletTokenBalance = named(
  'WalletTokenBalance',
  Type.Object({
    network: Network,
    address: EthAddress,
    name: Type.String(),
    symbol: Type.String(),
    decimals: Type.Integer(),
    balance: Type.String({ description: 'Integer amount in the smallest unit.' }),
    balance_usd: nullable(Type.String({ description: 'Decimal text; null without a price.' })),
    price_usd: nullable(Type.String({ description: 'Decimal text; null when nobody knows it.' })),
    image_url: nullable(Type.String()),
  }),
);
export type WalletTokenBalance = Static<typeof WalletTokenBalance>;

export const WalletBalancesResponse = named(
  'WalletBalancesResponse',
  Type.Object({ balances: Type.Array(WalletTokenBalance), next: NextCursor }),
);

/** Response item of the operation that reads a user's verified addresses. */
export const TokenBalance = named(
  'TokenBalance',
  Type.Object({
    object: Type.Enum(['token_balance'], { type: 'string' }),
    token: Type.Object({
      object: Type.Enum(['token'], { type: 'string' }),
      name: Type.String(),
      symbol: Type.String(),
      address: Type.Optional(Type.String()),
      decimals: Type.Optional(Type.Integer()),
    }),
    balance: Type.Object({
      in_token: Type.String({ description: 'Decimal text, in whole tokens.' }),
      in_usdc: Type.String({ description: 'Decimal text in US dollars; empty when nobody knows a price.' }),
    }),
  }),
);
export type TokenBalance = Static<typeof TokenBalance>;

export const AddressBalance = named(
  'AddressBalance',
  Type.Object({
    object: Type.Enum(['address_balance'], { type: 'string' }),
    verified_address: Type.Object({ address: Type.String(), network: Network }),
    token_balances: Type.Array(TokenBalance),
  }),
);
export type AddressBalance = Static<typeof AddressBalance>;

export const BalanceResponse = named(
  'BalanceResponse',
  Type.Object({
    user_balance: Type.Optional(
      Type.Object({
        object: Type.Enum(['user_balance'], { type: 'string' }),
        user: UserDehydrated,
        address_balances: Type.Array(AddressBalance),
      }),
    ),
  }),
);
