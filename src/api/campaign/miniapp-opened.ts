import { EXAMPLE_UUID } from '../../schema/example.js';
import { NotificationOpenedReqBody } from '../../schema/miniapp/campaign.js';
import { OperationResponse } from '../../schema/operation.js';
import { addCampaignOpen } from '../../store/miniapp/campaign-open.js';
import { operation } from '../http/operation.js';
import { appParams, MAX_PUBLIC_BODY_BYTES } from './public-address.js';

/** Nobody proves who opens: this limits what one user, or someone in the user's name, adds to the counts. */
export const MAX_OPENS = 100;

export const miniappOpened = operation({
  id: 'miniapp-opened',
  method: 'POST',
  path: '/f/app/:app_id/opened',
  tags: ['Frame'],
  title: 'Count an opened notification',
  summary: 'Count that a user opened the mini app from a notification; the mini app itself calls it. Own extension.',
  cost: { fixed: 0 },
  scope: 'public',
  limitsAddresses: true,
  maxBodyBytes: MAX_PUBLIC_BODY_BYTES,
  params: appParams,
  parameters: { app_id: { example: '00000000-0000-4000-8000-000000000002' } },
  body: NotificationOpenedReqBody,
  bodyExample: { notification_id: EXAMPLE_UUID, fid: 1, client_fid: 2 },
  bodyExampleNote: 'Put the id of a campaign of the app into `notification_id`, and a user whom it reached into `fid`.',
  response: OperationResponse,
  errors: [400],
  handle: async ({ params, body: { notification_id, fid, client_fid } }, { db }) => {
    const open = { campaignId: notification_id, appId: params.app_id, fid, clientFid: client_fid };
    await addCampaignOpen(db, open, MAX_OPENS);
    // The same for users who were sent nothing: who uses a mini app is not public.
    return { success: true };
  },
});
