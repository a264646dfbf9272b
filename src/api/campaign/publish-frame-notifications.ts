import { type CampaignRequest, publishCampaign } from '../../miniapp/campaign/publish.js';
import { totalsOf } from '../../miniapp/campaign/report.js';
import {
  QueuedFrameNotificationsResponse,
  SendFrameNotificationsReqBody,
  SendFrameNotificationsResponse,
} from '../../schema/miniapp/campaign.js';
import type { Dialect } from '../../schema/wire-names.js';
import {
  type CampaignDelivery,
  MAX_LISTED_DELIVERIES,
  selectCampaignDeliveries,
} from '../../store/miniapp/campaign-recipient.js';
import { HandlerResponse, operation } from '../http/operation.js';

const DEFAULT_RADIUS_M = 50_000;

const requestOf = (appId: string, body: SendFrameNotificationsReqBody, dialect: Dialect): CampaignRequest => {
  const { notification, filters = {}, target_fids = [] } = body;
  const { uuid, ...text } = notification;
  const { near_location: near } = filters;
  return {
    appId,
    // A UUID in capital letters is the same one.
    idempotencyKey: uuid?.toLowerCase(),
    text: { title: text.title, body: text.body, targetUrl: text.target_url },
    audience: {
      fids: target_fids,
      excludedFids: filters.exclude_fids ?? [],
      followedFid: filters.following_fid,
      minimumScore: filters.minimum_user_score,
      near: near && { latitude: near.latitude, longitude: near.longitude, radius: near.radius ?? DEFAULT_RADIUS_M },
    },
    // Callers under the ecosystem's names may have built their mini app with the vendor's components.
    namesCampaign: dialect === 'ecosystem',
    body: { ...body, notification: text },
  };
};

/** A token that its host calls invalid is gone, like one that the user disabled. */
const DELIVERY_STATUS = {
  delivered: 'success',
  disabled: 'token_disabled',
  invalid: 'token_disabled',
} as const;

const viewDelivery = ({ fid, clientFid, state }: CampaignDelivery) => ({
  object: 'notification_delivery' as const,
  fid,
  app_fid: clientFid,
  status: state in DELIVERY_STATUS ? DELIVERY_STATUS[state as keyof typeof DELIVERY_STATUS] : ('failed' as const),
});

export const publishFrameNotifications = operation({
  id: 'publish-frame-notifications',
  method: 'POST',
  path: '/v2/social/frame/notifications/',
  tags: ['Frame'],
  title: 'Send a notification',
  summary: "Send a notification to users of the calling app's mini app, through the hosts that they use.",
  cost: { fixed: 100 },
  waitsOutside: true,
  body: SendFrameNotificationsReqBody,
  bodyExample: {
    notification: {
      title: 'Your move',
      body: 'Somebody answered you.',
      target_url: 'https://mini-app.example/game/1',
      uuid: '6d0c1f0e-2b4d-4f5a-9c83-1f1a3c6f9c11',
    },
    target_fids: [1, 2],
    filters: { exclude_fids: [3], minimum_user_score: 0.5 },
  },
  bodyExampleNote: 'Give the app a mini app, and put an address on its domain into `target_url`.',
  response: SendFrameNotificationsResponse,
  outcomes: { 202: QueuedFrameNotificationsResponse },
  errors: [400, 404, 422, 500],
  invalidBody: 'either',
  handle: async ({ body, caller }, { campaigns, dialect }) => {
    const campaign = await publishCampaign(campaigns, requestOf(caller.appId, body, dialect));
    const { id, status, tokenCount } = campaign;
    if (status !== 'completed') return new HandlerResponse(202, { campaign_id: id, status });
    const { successes, failures, notAttempted } = totalsOf(campaign);
    const deliveries = tokenCount > MAX_LISTED_DELIVERIES ? [] : await selectCampaignDeliveries(campaigns.db, id);
    return {
      campaign_id: id,
      // Not for a repetition after the recipients were deleted.
      ...(deliveries.length === tokenCount && { notification_deliveries: deliveries.map(viewDelivery) }),
      success_count: successes,
      failure_count: failures,
      not_attempted_count: notAttempted,
      retryable_fids: [...(campaign.retryableFids ?? [])],
    };
  },
});
