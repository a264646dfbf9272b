import Type, { type Static } from 'typebox';
import { Fid } from '../fid.js';
import { named, namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { NextCursor } from '../page.js';
import { LocationAddress } from '../social/location.js';
import { stringEnum } from '../string-enum.js';

const NotificationTokenStatus = stringEnum(['enabled', 'disabled', 'invalid'], {
  description: 'disabled by the user, or invalid according to the host.',
});

export const FrameNotificationTokens = namedObject('FrameNotificationTokens', {
  next: NextCursor,
  notification_tokens: Type.Array(
    Type.Object({
      created_at: Type.Optional(Type.String({ format: 'date-time' })),
      fid: Type.Optional(Fid),
      object: Type.Optional(stringEnum(['notification_token'])),
      status: Type.Optional(NotificationTokenStatus),
      token: Type.Optional(Type.String()),
      updated_at: Type.Optional(Type.String({ format: 'date-time' })),
      url: Type.Optional(Type.String({ description: 'Where the host of the user takes notifications.' })),
    }),
  ),
});

export const SendFrameNotificationsReqBody = namedObject('SendFrameNotificationsReqBody', {
  filters: Type.Optional(
    Type.Object(
      {
        exclude_fids: Type.Optional(Type.Array(Fid)),
        following_fid: Type.Optional(Fid),
        minimum_user_score: Type.Optional(Type.Number({ maximum: 1, minimum: 0 })),
        near_location: Type.Optional(
          Type.Object({
            address: Type.Optional(LocationAddress),
            latitude: Type.Number({ format: 'double', maximum: 90, minimum: -90 }),
            longitude: Type.Number({ format: 'double', maximum: 180, minimum: -180 }),
            radius: Type.Optional(Type.Number({ minimum: 0, description: 'Metres; 50,000 when absent.' })),
          }),
        ),
      },
      {
        description:
          'All filters must match: not `exclude_fids`, followers of `following_fid`, a score of `minimum_user_score` or more, a location near `near_location`. Users without a location are near nothing.',
      },
    ),
  ),
  notification: Type.Object({
    body: Type.String({ maxLength: 128, minLength: 1 }),
    target_url: Type.String({ format: 'uri', maxLength: 256, description: 'On the domain of the mini app.' }),
    title: Type.String({ maxLength: 32, minLength: 1 }),
    uuid: Type.Optional(Type.String({ format: 'uuid', description: 'Makes a repetition the same request.' })),
  }),
  target_fids: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), {
      maxItems: 100,
      description: 'Every user with notifications enabled when empty or absent.',
    }),
  ),
});
export type SendFrameNotificationsReqBody = Static<typeof SendFrameNotificationsReqBody>;

const Count = Type.Integer({ format: 'int32' });

const NotificationDelivery = Type.Object({
  object: stringEnum(['notification_delivery']),
  fid: Fid,
  status: stringEnum(['success', 'token_not_found', 'token_disabled', 'failed']),
  app_fid: Type.Optional(Type.Integer({ description: 'The host of the user.' })),
});

export const SendFrameNotificationsResponse = namedObject('SendFrameNotificationsResponse', {
  campaign_id: Type.String({ format: 'uuid' }),
  failure_count: Count,
  not_attempted_count: Type.Integer({ format: 'int32', description: 'Disabled or invalid tokens.' }),
  notification_deliveries: Type.Optional(
    Type.Array(NotificationDelivery, {
      description:
        'Of a notification to at most 100 tokens: what became of each. Clients before version 3.137 read it.',
    }),
  ),
  retryable_fids: Type.Optional(
    Type.Array(Fid, { description: 'Failed with rate_limited, failed or http_error: they may be sent to again.' }),
  ),
  success_count: Count,
});

export const NotificationCampaignStatus = named(
  'NotificationCampaignStatus',
  stringEnum(['queued', 'running', 'completed', 'failed', 'canceled']),
);

export const QueuedFrameNotificationsResponse = namedObject('QueuedFrameNotificationsResponse', {
  campaign_id: Type.String({ format: 'uuid' }),
  status: NotificationCampaignStatus,
});

const Counts = Type.Record(Type.String(), Count);

export const NotificationCampaignStats = namedObject('NotificationCampaignStats', {
  error_breakdown: Type.Object({
    delivery_errors: Type.Optional(
      Type.Record(Type.String(), Count, {
        description:
          'By reason: invalid_token, disabled_token, rate_limited, failed, or why a host gave no response (timeout, unreachable and so on).',
      }),
    ),
    http_errors: Type.Optional(
      Type.Record(Type.String(), Count, { description: "By status of the hosts' responses." }),
    ),
  }),
  intended_recipient_app_fids: Type.Array(Type.Integer({ format: 'int32' })),
  intended_recipient_notification_token_count: Count,
  successful_sends: Count,
  successful_sends_by_app_fid: Counts,
  total_opens: Count,
  total_opens_by_app_fid: Counts,
  unique_opens: Count,
  unique_opens_by_app_fid: Counts,
});

export const NotificationCampaign = namedObject('NotificationCampaign', {
  body: Type.String(),
  completed_at: Type.Optional(nullable(Type.String({ format: 'date-time' }))),
  created_at: Type.String({ format: 'date-time' }),
  id: Type.String({ format: 'uuid' }),
  queued_at: Type.Optional(Type.String({ format: 'date-time' })),
  stats: NotificationCampaignStats,
  status: Type.Optional(NotificationCampaignStatus),
  title: Type.String(),
});

export const NotificationCampaignsResponse = namedObject('NotificationCampaignsResponse', {
  next: NextCursor,
  notificationCampaigns: Type.Array(NotificationCampaign),
});

/** Own extension: what a mini app reports when a user opened it from a notification. */
export const NotificationOpenedReqBody = namedObject('NotificationOpenedReqBody', {
  notification_id: Type.String({
    format: 'uuid',
    description: '`context.location.notification.notificationId` of the Mini App SDK.',
  }),
  fid: Type.Integer({ minimum: 1, description: '`context.user.fid`.' }),
  client_fid: Type.Integer({ minimum: 1, description: '`context.client.clientFid`.' }),
});

/** Own extension: the same by the members that the vendor's React components send. */
export const CampaignOpenedReqBody = namedObject('CampaignOpenedReqBody', {
  campaign_id: Type.String({
    format: 'uuid',
    description: '`utm_campaign` of the address that the notification opens.',
  }),
  fid: Type.Integer({ minimum: 1 }),
  app_fid: Type.Integer({ minimum: 1, description: 'Account of the host.' }),
});
