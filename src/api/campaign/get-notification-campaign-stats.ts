import Type from 'typebox';
import { viewCampaign } from '../../miniapp/campaign/report.js';
import { NotificationCampaignsResponse } from '../../schema/miniapp/campaign.js';
import { selectCampaignReports } from '../../store/miniapp/campaign-result.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';

const ID = 'get-notification-campaign-stats';
const list = {
  operationId: ID,
  sortKey: Type.Object({ at: Type.Integer(), id: Type.String({ format: 'uuid' }) }),
};

export const getNotificationCampaignStats = operation({
  id: ID,
  path: '/v2/social/frame/notifications/',
  tags: ['Frame'],
  summary: "Read what became of the notifications of the calling app's mini app, newest first.",
  query: Type.Object({
    campaign_id: Type.Optional(Type.String({ format: 'uuid' })),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: NotificationCampaignsResponse,
  errors: [400, 500],
  invalidBody: 'either',
  handle: async ({ query, caller: { appId } }, { db, clock, cursorKey }) => {
    const filters = { appId, id: query.campaign_id };
    const { after, limit, cut } = openPage(cursorKey, list, filters, query, clock());
    const found = await selectCampaignReports(db, filters, after, limit);
    const { rows, cursor } = cut(found, ({ createdAt, id }) => ({ at: createdAt.getTime(), id }));
    return { notificationCampaigns: rows.map(viewCampaign), next: { cursor } };
  },
});
