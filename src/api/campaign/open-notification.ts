import { EXAMPLE_UUID } from '../../schema/example.js';
import { CampaignOpenedReqBody } from '../../schema/miniapp/campaign.js';
import { OperationResponse } from '../../schema/operation.js';
import { addCampaignOpen } from '../../store/miniapp/campaign-open.js';
import { operation } from '../http/operation.js';
import { MAX_OPENS } from './miniapp-opened.js';
import { MAX_PUBLIC_BODY_BYTES } from './public-address.js';

export const openNotification = operation({
  id: 'open-notification',
  method: 'POST',
  path: '/v2/social/frame/notifications/open/',
  tags: ['Frame'],
  title: 'Count an opened notification by its campaign',
  summary:
    "Count that a user opened a mini app from a notification; the vendor's React components call it. Own extension.",
  cost: { fixed: 0 },
  scope: 'public',
  limitsAddresses: true,
  maxBodyBytes: MAX_PUBLIC_BODY_BYTES,
  body: CampaignOpenedReqBody,
  bodyExample: { campaign_id: EXAMPLE_UUID, fid: 1, app_fid: 2 },
  bodyExampleNote: 'Put the id of a campaign into `campaign_id`, and a user whom it reached into `fid`.',
  response: OperationResponse,
  errors: [400],
  handle: async ({ body: { campaign_id, fid, app_fid } }, { db }) => {
    await addCampaignOpen(db, { campaignId: campaign_id, appId: null, fid, clientFid: app_fid }, MAX_OPENS);
    // The same for users who were sent nothing: who uses a mini app is not public.
    return { success: true };
  },
});
