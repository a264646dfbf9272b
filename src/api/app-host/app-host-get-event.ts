import Type from 'typebox';
import { readDomain } from '../../miniapp/domain.js';
import { buildEvent } from '../../miniapp/event.js';
import { AppHostEventType, AppHostGetEventResponse } from '../../schema/miniapp/app-host.js';
import { operation } from '../http/operation.js';
import { mintToken } from './mint-token.js';

export const appHostGetEvent = operation({
  id: 'app-host-get-event',
  path: '/v2/social/app_host/user/event/',
  tags: ['App Host'],
  title: 'Build an app host event',
  summary: 'Build the event object that an app host will sign itself; notifications_enabled comes with a new token.',
  cost: { fixed: 2 },
  scope: 'host',
  waitsOutside: true,
  query: Type.Object({
    app_domain: Type.String(),
    fid: Type.Integer({ minimum: 1 }),
    event: AppHostEventType,
  }),
  parameters: {
    app_domain: { description: 'Domain of the mini app, without `https://`.', example: 'mini-app.example' },
    fid: { description: 'The user of the mini app.', example: 1 },
    event: { description: 'What happened in the app host.', example: 'notifications_enabled' },
  },
  response: AppHostGetEventResponse,
  errors: [400, 404, 500],
  handle: async ({ query: { app_domain, fid, event }, caller }, services) => {
    const { name } = readDomain(app_domain, services.outbound);
    const isEnabling = event === 'notifications_enabled';
    const details = isEnabling ? await mintToken(services, { appId: caller.appId, fid, domain: name }) : undefined;
    return buildEvent(event, details);
  },
});
