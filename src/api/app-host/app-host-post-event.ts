import { readDomain } from '../../miniapp/domain.js';
import { verifyHostEvent } from '../../miniapp/host-event.js';
import { AppHostPostEventReqBody, AppHostPostEventResponse } from '../../schema/app-host.js';
import { operation } from '../operation.js';
import { signEvent } from './sign-event.js';

export const appHostPostEvent = operation({
  id: 'app-host-post-event',
  method: 'POST',
  path: '/v2/social/app_host/user/event/',
  tags: ['App Host'],
  summary: 'Deliver an app host event to the webhook of a mini-app domain; what fails is tried again for a day.',
  family: 'v2',
  scope: 'host',
  body: AppHostPostEventReqBody,
  response: AppHostPostEventResponse,
  errors: [400, 404, 500, 502],
  handle: async ({ body, caller }, services) => {
    const domain = readDomain(body.app_domain, services.outbound);
    const signed =
      'signed_message' in body
        ? await verifyHostEvent(services, caller, body.signed_message)
        : await signEvent(body, { appId: caller.appId, domain: domain.name }, services);
    await services.hostOutbox.send(caller.appId, domain, signed);
    return { success: true, message: `${signed.event.event} was delivered to ${domain.name}.` };
  },
});
