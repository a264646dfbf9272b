import { changeApp } from '../../access/app.js';
import { requireOrigins } from '../../access/browser-origin.js';
import { EXAMPLE_APP_UUID } from '../../schema/example.js';
import { OperatorAppResponse, UpdateAppReqBody } from '../../schema/operator/app.js';
import { operation } from '../http/operation.js';
import { changeOf } from './change.js';
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
  bodyExample: { app_uuid: EXAMPLE_APP_UUID, name: 'Reader' },
  response: OperatorAppResponse,
  errors: [400, 403, 404],
  handle: async (request, services) => {
    const { app_uuid: id, name, fid, origins } = request.body;
    await appResponse(services, id);
    await changeApp(services.db, {
      id,
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(fid === undefined ? {} : { fid }),
      ...(origins === undefined ? {} : { browserOrigins: requireOrigins(origins) }),
      ...changeOf(request, services),
    });
    return appResponse(services, id);
  },
});
