import { createKey as makeKey } from '../../access/key.js';
import { CreatedApiKeyResponse } from '../../schema/api-key.js';
import { EXAMPLE_APP_UUID } from '../../schema/example.js';
import { CreateKeyReqBody } from '../../schema/operator/app.js';
import { operation } from '../http/operation.js';
import { viewKey } from '../key/view-key.js';
import { changeOf } from './change.js';
import { appResponse } from './view-app.js';

export const createKey = operation({
  id: 'create-key',
  method: 'POST',
  path: '/operator/keys',
  tags: ['operator'],
  title: 'Make a key',
  summary: 'Make an API key for an app, and return it this once. It may only read unless scopes are given.',
  cost: { fixed: 0 },
  scope: 'operator',
  body: CreateKeyReqBody,
  bodyExample: { app_uuid: EXAMPLE_APP_UUID, name: 'reader', scopes: ['read'] },
  response: CreatedApiKeyResponse,
  errors: [400, 403, 404],
  handle: async (request, services) => {
    const { app_uuid: appId, name, scopes, expires_at: end } = request.body;
    await appResponse(services, appId);
    const { secret, ...key } = await makeKey(services.db, {
      appId,
      name: name.trim(),
      ...(scopes === undefined ? {} : { scopes }),
      ...(end === undefined ? {} : { expiresAt: new Date(end) }),
      ...changeOf(request, services),
    });
    return { key: viewKey(key), secret };
  },
});
