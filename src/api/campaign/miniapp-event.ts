import { acceptClientEvent } from '../../miniapp/client-event.js';
import { OperationResponse } from '../../schema/operation.js';
import { EncodedJsonSocialSignature } from '../../schema/social/frame.js';
import { operation } from '../http/operation.js';
import { appParams, MAX_PUBLIC_BODY_BYTES } from './public-address.js';

/** Not part of the contract: the address is the `webhookUrl` in the manifest of the mini app. */
export const miniappEvent = operation({
  id: 'miniapp-event',
  method: 'POST',
  path: '/f/app/:app_id/event',
  tags: ['Frame'],
  title: 'Receive events of hosts',
  summary: "Take a signed event of a host about a user of the app's mini app: added, removed, notifications on or off.",
  cost: { fixed: 0 },
  // The signature authenticates the user and the host.
  waitsOutside: true,
  scope: 'public',
  limitsAddresses: true,
  maxBodyBytes: MAX_PUBLIC_BODY_BYTES,
  params: appParams,
  body: EncodedJsonSocialSignature,
  bodyExample: { header: 'eyJmaWQiOjF9', payload: 'eyJldmVudCI6Im1pbmlhcHBfYWRkZWQifQ', signature: 'AAAA' },
  bodyExampleNote: 'Let a host sign an event of a user.',
  response: OperationResponse,
  errors: [400, 404],
  handle: async ({ params, body }, { campaigns, networks }) => {
    await acceptClientEvent({ ...campaigns, networks }, params.app_id, body);
    return { success: true };
  },
});
