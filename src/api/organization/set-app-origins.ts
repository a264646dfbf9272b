import { changeApp } from '../../access/app.js';
import { requireOrigins } from '../../access/browser-origin.js';
import { AppOriginsReqBody, AppOriginsResponse } from '../../schema/portal/app.js';
import { operation } from '../http/operation.js';
import { changeOf } from '../operator/change.js';

export const setAppOrigins = operation({
  id: 'set-app-origins',
  method: 'PUT',
  path: '/portal/app/origins',
  tags: ['portal'],
  title: 'Set the origins of the app',
  summary: 'Set whose pages may read with the id of the app (`client_id`) in place of a key. Own extension.',
  cost: { fixed: 0 },
  scope: 'portal',
  body: AppOriginsReqBody,
  bodyExample: { origins: ['https://app.example'] },
  response: AppOriginsResponse,
  errors: [400, 403],
  handle: async (request, services) => {
    const { appId } = request.caller;
    const browserOrigins = requireOrigins(request.body.origins);
    await changeApp(services.db, { id: appId, browserOrigins, ...changeOf(request, services) });
    return { app_uuid: appId, origins: browserOrigins };
  },
});
