import Type, { type Static } from 'typebox';
import { EthAddress } from '../address.js';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { NextCursor } from '../page.js';
import { UserDehydrated } from '../social/user-dehydrated.js';
import { stringEnum } from '../string-enum.js';
import { Network } from './network.js';

/** Response item of the operation that reads any wallet; flat, unlike `TokenBalance`. */
export const WalletTokenBalance = namedObject('WalletTokenBalance', {
  network: Network,
  address: EthAddress,
  name: Type.String(),
  symbol: Type.String(),
  decimals: Type.Integer(),
  balance: Type.String({ description: 'Integer amount in the smallest unit.' }),
  balance_usd: nullable(Type.String({ description: 'Decimal text; null without a price.' })),
  price_usd: nullable(Type.String({ description: 'Decimal text; null when nobody knows it.' })),
  image_url: nullable(Type.String()),
});
export type WalletTokenBalance = Static<typeof WalletTokenBalance>;

export const WalletBalancesResponse = namedObject('WalletBalancesResponse', {
  balances: Type.Array(WalletTokenBalance),
  next: NextCursor,
});

/** Response item of the operation that reads a user's verified addresses. */
export const TokenBalance = namedObject('TokenBalance', {
  object: stringEnum(['token_balance']),
  token: Type.Object({
    object: stringEnum(['token']),
    name: Type.String(),
    symbol: Type.String(),
    address: Type.Optional(Type.String()),
    decimals: Type.Optional(Type.Integer()),
  }),
  balance: Type.Object({
    in_token: Type.String({ description: 'Decimal text, in whole tokens.' }),
    in_usdc: Type.String({ description: 'Decimal text in US dollars; empty when nobody knows a price.' }),
  }),
});
export type TokenBalance = Static<typeof TokenBalance>;

export const AddressBalance = namedObject('AddressBalance', {
  object: stringEnum(['address_balance']),
  verified_address: Type.Object({ address: Type.String(), network: Network }),
  token_balances: Type.Array(TokenBalance),
});
export type AddressBalance = Static<typeof AddressBalance>;

export const BalanceResponse = namedObject('BalanceResponse', {
  user_balance: Type.Optional(
    Type.Object({
      object: stringEnum(['user_balance']),
      user: UserDehydrated,
      address_balances: Type.Array(AddressBalance),
    }),
  ),
});
