import Type from 'typebox';
import { AppHostUserStateResponse } from '../../schema/miniapp/app-host.js';
import { selectEnabledDomains } from '../../store/miniapp/token.js';
import { operation } from '../http/operation.js';

export const appHostGetUserState = operation({
  id: 'app-host-get-user-state',
  path: '/v2/social/app_host/user/state/',
  tags: ['App Host'],
  title: 'List who may notify a user',
  summary: 'List the mini-app domains that may notify a user of this app host, as of the last events delivered.',
  cost: { fixed: 2 },
  scope: 'host',
  query: Type.Object({ fid: Type.Integer({ minimum: 1 }) }),
  parameters: { fid: { description: 'The user of the app host.', example: 1 } },
  response: AppHostUserStateResponse,
  errors: [400, 404, 500],
  handle: async ({ query, caller }, { db }) => {
    const rows = await selectEnabledDomains(db, caller.appId, query.fid);
    return {
      notifications_enabled: rows.map(({ domain, since }) => ({
        domain,
        status: 'valid',
        updated_at: since.toISOString(),
      })),
    };
  },
});
