import { changeApp } from '../../access/app.js';
import { requireOrigins } from '../../access/browser-origin.js';
import { OperatorAppResponse, UpdateAppReqBody } from '../../schema/operator/app.js';
import { operation } from '../http/operation.js';
import { appResponse } from './view-app.js';

export const updateApp = operation({
  id: 'update-app',
  method: 'PUT',
  path: '/operator/app',
  tags: ['operator'],
  title: 'Change an app',
  summary: 'Change the name of an app, its own account, or the pages that may read with its id.',
  cost: { fixed: 0 },
  scope: 'operator',
  body: UpdateAppReqBody,
  bodyExample: { app_uuid: '00000000-0000-4000-8000-000000000002', name: 'Reader' },
  response: OperatorAppResponse,
  errors: [400, 403, 404],
  handle: async ({ id: requestId, body, caller }, services) => {
    const { app_uuid: id, name, fid, origins } = body;
    await appResponse(services, id);
    await changeApp(services.db, {
      id,
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(fid === undefined ? {} : { fid }),
      ...(origins === undefined ? {} : { browserOrigins: requireOrigins(origins) }),
      actor: { keyId: caller.keyId, requestId },
      now: new Date(services.clock()),
    });
    return appResponse(services, id);
  },
});
