import Type from 'typebox';
import { viewCampaign } from '../../miniapp/campaign/report.js';
import { NotificationCampaignsResponse } from '../../schema/miniapp/campaign.js';
import { selectCampaignReports } from '../../store/miniapp/campaign-result.js';
import { listOperation } from '../page/list-operation.js';

export const getNotificationCampaignStats = listOperation({
  id: 'get-notification-campaign-stats',
  path: '/v2/social/frame/notifications/',
  tags: ['Frame'],
  title: 'Read statistics of notifications',
  summary: "Read what became of the notifications of the calling app's mini app, newest first.",
  cost: { each: 1, of: 'limit' },
  needsApp: true,
  query: { campaign_id: Type.Optional(Type.String({ format: 'uuid' })) },
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  parameters: {
    campaign_id: { description: '`campaign_id` of the response when the notification was sent. All when absent.' },
  },
  response: NotificationCampaignsResponse,
  errors: [400, 500],
  invalidBody: 'either',
  isUntagged: true,
  sortKey: Type.Object({ at: Type.Integer(), id: Type.String({ format: 'uuid' }) }),
  filters: ({ query, caller: { appId } }) => ({ appId, id: query.campaign_id }),
  select: (read, filters, { after, limit }) => selectCampaignReports(read, filters, after, limit),
  keyOf: ({ createdAt, id }) => ({ at: createdAt.getTime(), id }),
  view: (rows, cursor) => ({ notificationCampaigns: rows.map(viewCampaign), next: { cursor } }),
});
