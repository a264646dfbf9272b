import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { Cast } from '../social/cast.js';
import { CastDehydrated } from '../social/cast-dehydrated.js';
import { User } from '../social/user.js';
import { UserDehydrated } from '../social/user-dehydrated.js';
import { stringEnum } from '../string-enum.js';

const Time = Type.String({ format: 'date-time' });
const UnixTime = Type.Integer({ description: 'Unix seconds.' });
const Fids = Type.Optional(Type.Array(Type.Integer()));
const Texts = Type.Optional(Type.Array(Type.String()));

export const WebhookSubscriptionFiltersCast = namedObject(
  'WebhookSubscriptionFiltersCast',
  {
    author_fids: Fids,
    embedded_cast_author_fids: Type.Optional(
      Type.Array(Type.Number(), { description: 'Casts that embed a cast of one of these authors.' }),
    ),
    embedded_cast_hashes: Type.Optional(
      Type.Array(Type.String(), { description: 'Casts that embed one of these casts.' }),
    ),
    embeds: Type.Optional(
      Type.String({ description: 'Regular expression in RE2 syntax, searched for in each embedded URL.' }),
    ),
    exclude_author_fids: Type.Optional(
      Type.Array(Type.Integer(), { description: 'No cast of these authors, whatever the other filters say.' }),
    ),
    mentioned_fids: Fids,
    minimum_author_score: Type.Optional(
      Type.Number({
        default: 0,
        maximum: 1,
        minimum: 0,
        description: 'A threshold: no cast of an author with a lower score, whatever the other filters say.',
      }),
    ),
    parent_author_fids: Fids,
    parent_hashes: Texts,
    parent_urls: Texts,
    root_parent_urls: Texts,
    text: Type.Optional(
      Type.String({ description: 'Regular expression in RE2 syntax, searched for in the text of the cast.' }),
    ),
  },
  {
    description:
      'Without filters, every cast. The lists, `text` and `embeds` are alternatives: one that matches is enough.',
  },
);

export const WebhookSubscriptionFiltersFollow = namedObject('WebhookSubscriptionFiltersFollow', {
  fids: Fids,
  target_fids: Fids,
});

export const WebhookSubscriptionFiltersReaction = namedObject('WebhookSubscriptionFiltersReaction', {
  fids: Fids,
  target_cast_hashes: Type.Optional(Type.Array(Type.String({ pattern: '^(0x)?[a-fA-F0-9]{40}$' }))),
  target_fids: Fids,
});

export const WebhookSubscriptionFiltersTrade = namedObject('WebhookSubscriptionFiltersTrade', {
  fids: Fids,
  minimum_token_amount_usdc: Type.Optional(Type.Number({ minimum: 0 })),
  minimum_trader_service_score: Type.Optional(Type.Number({ maximum: 1, minimum: 0 })),
});

export const WebhookSubscriptionFilters = namedObject('WebhookSubscriptionFilters', {
  'cast.created': Type.Optional(WebhookSubscriptionFiltersCast),
  'cast.deleted': Type.Optional(WebhookSubscriptionFiltersCast),
  'follow.created': Type.Optional(WebhookSubscriptionFiltersFollow),
  'follow.deleted': Type.Optional(WebhookSubscriptionFiltersFollow),
  'reaction.created': Type.Optional(WebhookSubscriptionFiltersReaction),
  'reaction.deleted': Type.Optional(WebhookSubscriptionFiltersReaction),
  'trade.created': Type.Optional(WebhookSubscriptionFiltersTrade),
  'user.created': Type.Optional(Type.Object({})),
  'user.updated': Type.Optional(Type.Object({ fids: Fids })),
});
export type WebhookSubscriptionFilters = Static<typeof WebhookSubscriptionFilters>;

export const WebhookSecret = namedObject('WebhookSecret', {
  created_at: Type.String(),
  deleted_at: Type.Union([Type.String(), Type.Null()]),
  expires_at: Type.String(),
  uid: Type.String(),
  updated_at: Type.String(),
  value: Type.String(),
});

export const WebhookSubscription = namedObject('WebhookSubscription', {
  created_at: Time,
  filters: WebhookSubscriptionFilters,
  object: stringEnum(['webhook_subscription']),
  subscription_id: Type.String(),
  updated_at: Time,
});

export const Webhook = namedObject('Webhook', {
  active: Type.Boolean(),
  created_at: Time,
  deleted_at: Type.Union([Time, Type.Null()]),
  description: Type.String(),
  developer_uuid: Type.String(),
  http_timeout: Type.String(),
  object: stringEnum(['webhook']),
  rate_limit: Type.Integer(),
  rate_limit_duration: Type.String(),
  secrets: Type.Array(WebhookSecret),
  subscription: Type.Optional(WebhookSubscription),
  target_url: Type.String(),
  title: Type.String(),
  updated_at: Time,
  webhook_id: Type.String(),
});
export type Webhook = Static<typeof Webhook>;

const webhookId = Type.String();

export const WebhookResponse = namedObject('WebhookResponse', {
  message: Type.Optional(Type.String()),
  success: Type.Optional(Type.Boolean()),
  webhook: Type.Optional(Webhook),
});
export const WebhookListResponse = namedObject('WebhookListResponse', { webhooks: Type.Array(Webhook) });
export const WebhookDeleteReqBody = namedObject('WebhookDeleteReqBody', { webhook_id: webhookId });
export const WebhookPatchReqBody = namedObject('WebhookPatchReqBody', {
  active: stringEnum(['true', 'false']),
  webhook_id: webhookId,
});
export const WebhookPostReqBody = namedObject('WebhookPostReqBody', {
  name: Type.String(),
  subscription: Type.Optional(WebhookSubscriptionFilters),
  url: Type.String(),
});
export type WebhookPostReqBody = Static<typeof WebhookPostReqBody>;
export const WebhookPutReqBody = namedObject('WebhookPutReqBody', {
  name: Type.String(),
  subscription: Type.Optional(WebhookSubscriptionFilters),
  url: Type.String(),
  webhook_id: webhookId,
});

export const WebhookCastEvent = namedObject('WebhookCastEvent', {
  type: stringEnum(['cast.created', 'cast.deleted']),
  created_at: UnixTime,
  // As real bodies have it, and those of follows and reactions.
  data: Type.Intersect([Cast, Type.Object({ event_timestamp: Type.Optional(Time) })]),
});

export const WebhookUserEvent = namedObject('WebhookUserEvent', {
  type: stringEnum(['user.created', 'user.updated']),
  created_at: UnixTime,
  event_timestamp: Time,
  data: User,
});

export const WebhookFollowEvent = namedObject('WebhookFollowEvent', {
  type: stringEnum(['follow.created', 'follow.deleted']),
  created_at: UnixTime,
  data: Type.Object({
    object: stringEnum(['follow', 'unfollow']),
    event_timestamp: Time,
    timestamp: Time,
    user: UserDehydrated,
    target_user: UserDehydrated,
  }),
});

export const WebhookReactionEvent = namedObject('WebhookReactionEvent', {
  type: stringEnum(['reaction.created', 'reaction.deleted']),
  created_at: UnixTime,
  data: Type.Object({
    object: stringEnum(['reaction']),
    event_timestamp: Time,
    timestamp: Time,
    reaction_type: Type.Enum([1, 2], { type: 'integer', description: '1: like, 2: recast.' }),
    user: UserDehydrated,
    cast: CastDehydrated,
  }),
});
