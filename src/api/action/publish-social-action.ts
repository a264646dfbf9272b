import Type from 'typebox';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
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
  title: 'Send an action to an app',
  summary: "Sign an action with a user's signer, send it to another app and hand back that app's answer.",
  cost: { fixed: 20 },
  waitsOutside: true,
  body: SocialActionReqBody,
  bodyExample: {
    signer_uuid: EXAMPLE_SIGNER_UUID,
    base_url: 'https://mini-app.example',
    action: { type: 'share', payload: { text: 'Hello' } },
  },
  bodyExampleNote: 'Put the address of an app that takes actions into `base_url`.',
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
