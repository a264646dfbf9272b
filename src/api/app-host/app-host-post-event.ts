import type { Static } from 'typebox';
import { invalidField } from '../../error.js';
import { readDomain } from '../../miniapp/domain.js';
import { verifyHostEvent } from '../../miniapp/host-event.js';
import { AppHostPostEventReqBody, AppHostPostEventResponse } from '../../schema/miniapp/app-host.js';
import { operation } from '../http/operation.js';
import { signEvent } from './sign-event.js';

type Body = Static<typeof AppHostPostEventReqBody>;

/** Members of an event that the service signs; an event that is already signed must not have them. */
const UNSIGNED = ['event', 'fid', 'signer_uuid'] as const;

/** @throws AppError invalid for a body with members of both forms */
const requireOneForm = (body: Body): void => {
  const extra = UNSIGNED.find((name) => 'signed_message' in body && name in body);
  if (extra === undefined) return;
  const message = `${extra} must be left out beside signed_message: send exactly one of {signed_message}, {${UNSIGNED.join(', ')}}.`;
  throw invalidField(extra, message);
};

export const appHostPostEvent = operation({
  id: 'app-host-post-event',
  method: 'POST',
  path: '/v2/social/app_host/user/event/',
  tags: ['App Host'],
  summary: 'Deliver an app host event to the webhook of a mini-app domain; what fails is tried again for a day.',
  scope: 'host',
  waitsOutside: true,
  body: AppHostPostEventReqBody,
  response: AppHostPostEventResponse,
  errors: [400, 404, 500, 502],
  handle: async ({ body, caller }, services) => {
    requireOneForm(body);
    const domain = readDomain(body.app_domain, services.outbound);
    const signed =
      'signed_message' in body
        ? await verifyHostEvent(services, caller, body.signed_message)
        : await signEvent(body, { appId: caller.appId, domain: domain.name }, services);
    await services.hostOutbox.send(caller.appId, domain, signed);
    return { success: true, message: `${signed.event.event} was delivered to ${domain.name}.` };
  },
});
