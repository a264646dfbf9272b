import Type from 'typebox';
import { SocialActionReqBody } from '../../schema/miniapp/action.js';
import { operation } from '../http/operation.js';
import { readActionAddress } from './action-address.js';
import { makeActionToken } from './action-token.js';
import { forwardTargetResponse } from './target-response.js';

const TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 256 * 1024;

export const publishSocialAction = operation({
  id: 'publish-social-action',
  method: 'POST',
  path: '/v2/social/action/',
  tags: ['Action'],
  summary: "Sign an action with a user's signer, send it to another app and hand back that app's answer.",
  waitsOutside: true,
  body: SocialActionReqBody,
  response: Type.Object({}, { additionalProperties: true }),
  errors: [400, 403, 404, 500, 502],
  handle: async ({ body: { action, base_url, signer_uuid }, caller }, { signers, outbound, clock }) => {
    const target = readActionAddress(base_url, outbound);
    const signer = await signers.use(caller.appId, signer_uuid, 'WRITE_FRAME_ACTION');
    const body = JSON.stringify({ action });
    const answer = await outbound.request({
      method: 'POST',
      url: target,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${makeActionToken(signer, { target, body, now: clock() })}`,
        'content-type': 'application/json',
      },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
    });
    return forwardTargetResponse(answer);
  },
});
