import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { User } from '../social/user.js';
import { stringEnum } from '../string-enum.js';

/** Amounts are integers in the smallest unit of the currency. */
export const SubscriptionTier = namedObject('SubscriptionTier', {
  id: Type.Optional(Type.Integer()),
  price: Type.Optional(
    Type.Object({
      period_duration_seconds: Type.Optional(Type.Integer()),
      tokens_per_period: Type.Optional(Type.String()),
      initial_mint_price: Type.Optional(Type.String()),
    }),
  ),
});
export type SubscriptionTier = Static<typeof SubscriptionTier>;

const contract = {
  object: stringEnum(['subscription']),
  provider_name: Type.Optional(Type.String()),
  contract_address: Type.String(),
  chain: Type.Integer(),
  metadata: Type.Object({ title: Type.String(), symbol: Type.String(), art_url: Type.String() }),
  owner_address: Type.String(),
  price: Type.Object({
    period_duration_seconds: Type.Integer(),
    tokens_per_period: Type.String(),
    initial_mint_price: Type.String(),
  }),
  tiers: Type.Optional(Type.Array(SubscriptionTier)),
  protocol_version: Type.Integer(),
  token: Type.Object({
    symbol: Type.String(),
    address: nullable(Type.String()),
    decimals: Type.Integer(),
    erc20: Type.Boolean(),
  }),
};

export const Subscription = namedObject('Subscription', contract);
export type Subscription = Static<typeof Subscription>;

export const Subscriptions = namedObject('Subscriptions', { subscriptions_created: Type.Array(Subscription) });

/** A list of lists of the same name, as clients of the interface expect it. */
export const SubscriptionsResponse = namedObject('SubscriptionsResponse', {
  subscriptions_created: Type.Optional(Type.Array(Subscriptions)),
});

const dateTime = Type.String({ format: 'date-time' });

export const SubscribedTo = namedObject('SubscribedTo', {
  ...contract,
  expires_at: dateTime,
  subscribed_at: dateTime,
  tier: SubscriptionTier,
  creator: User,
});
export type SubscribedTo = Static<typeof SubscribedTo>;

export const SubscribedToResponse = namedObject('SubscribedToResponse', {
  subscribed_to: Type.Optional(Type.Array(SubscribedTo)),
});

export const SubscribedToObject = namedObject('SubscribedToObject', {
  object: stringEnum(['subscription_dehydrated']),
  provider_name: Type.String(),
  contract_address: Type.Optional(Type.String()),
  chain: Type.Optional(Type.Integer()),
  expires_at: Type.Optional(dateTime),
  subscribed_at: Type.Optional(dateTime),
  tier_id: Type.Optional(Type.String()),
  protocol_version: Type.Optional(Type.Integer()),
});

export const Subscriber = namedObject('Subscriber', {
  object: stringEnum(['subscriber']),
  user: User,
  subscribed_to: SubscribedToObject,
});
export type Subscriber = Static<typeof Subscriber>;

export const SubscribersResponse = namedObject('SubscribersResponse', {
  subscribers: Type.Optional(Type.Array(Subscriber)),
});

const unixMilliseconds = nullable(Type.Integer({ format: 'int64', description: 'Unix milliseconds.' }));

const checked = Type.Object({
  object: stringEnum(['subscribed_to_dehydrated']),
  status: Type.Boolean(),
  expires_at: unixMilliseconds,
  subscribed_at: unixMilliseconds,
  tier: nullable(SubscriptionTier),
});

/** By address, as it was asked for. */
export const SubscriptionCheckResponse = named(
  'SubscriptionCheckResponse',
  Type.Unsafe<Record<string, Static<typeof checked>>>(Type.Object({}, { additionalProperties: checked })),
);
export type SubscriptionCheckResponse = Static<typeof SubscriptionCheckResponse>;
