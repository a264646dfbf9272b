import { createKey as makeKey } from '../../access/key.js';
import { CreatedKeyResponse, CreateKeyReqBody } from '../../schema/operator/app.js';
import { operation } from '../http/operation.js';
import { appResponse, viewKey } from './view-app.js';

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
  bodyExample: { app_uuid: '00000000-0000-4000-8000-000000000002', name: 'reader', scopes: ['read'] },
  response: CreatedKeyResponse,
  errors: [400, 403, 404],
  handle: async ({ id: requestId, body, caller }, services) => {
    const { app_uuid: appId, name, scopes, expires_at: end } = body;
    await appResponse(services, appId);
    const { secret, ...key } = await makeKey(services.db, {
      appId,
      name: name.trim(),
      ...(scopes === undefined ? {} : { scopes }),
      ...(end === undefined ? {} : { expiresAt: new Date(end) }),
      actor: { keyId: caller.keyId, requestId },
      now: new Date(services.clock()),
    });
    return { key: viewKey(key), secret };
  },
});
