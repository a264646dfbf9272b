import { NotificationOpenedReqBody } from '../../schema/miniapp/campaign.js';
import { OperationResponse } from '../../schema/operation.js';
import { addCampaignOpen } from '../../store/miniapp/campaign-open.js';
import { operation } from '../http/operation.js';
import { appParams, MAX_PUBLIC_BODY_BYTES } from './public-address.js';

/** Nobody proves who opens: this limits what one user, or someone in the user's name, adds to the counts. */
const MAX_OPENS = 100;

export const miniappOpened = operation({
  id: 'miniapp-opened',
  method: 'POST',
  path: '/f/app/:app_id/opened',
  tags: ['Frame'],
  summary: 'Count that a user opened the mini app from a notification; the mini app itself calls it. Own extension.',
  scope: 'public',
  limitsAddresses: true,
  maxBodyBytes: MAX_PUBLIC_BODY_BYTES,
  params: appParams,
  body: NotificationOpenedReqBody,
  response: OperationResponse,
  errors: [400],
  handle: async ({ params, body: { notification_id, fid, client_fid } }, { db }) => {
    const open = { campaignId: notification_id, appId: params.app_id, fid, clientFid: client_fid };
    await addCampaignOpen(db, open, MAX_OPENS);
    // The same for users who were sent nothing: who uses a mini app is not public.
    return { success: true };
  },
});
