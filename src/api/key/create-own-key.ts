import { createKey } from '../../access/key.js';
import { CreatedApiKeyResponse } from '../../schema/api-key.js';
import { CreateOwnKeyReqBody } from '../../schema/portal/key.js';
import { operation } from '../http/operation.js';
import { changeOf } from '../operator/change.js';
import { requireScopes } from './own-key.js';
import { viewKey } from './view-key.js';

export const createOwnKey = operation({
  id: 'create-own-key',
  method: 'POST',
  path: '/portal/keys',
  tags: ['portal'],
  title: 'Make a key of the app',
  summary: 'Make an API key for the calling app, and return it this once. It may do no more than the calling key.',
  cost: { fixed: 0 },
  scope: 'portal',
  needsApp: true,
  body: CreateOwnKeyReqBody,
  bodyExample: { name: 'website', scopes: ['read'] },
  response: CreatedApiKeyResponse,
  errors: [400, 403],
  handle: async (request, services) => {
    const { body, caller } = request;
    requireScopes(caller, body.scopes);
    const { secret, ...key } = await createKey(services.db, {
      appId: caller.appId,
      name: body.name.trim(),
      scopes: body.scopes,
      ...changeOf(request, services),
    });
    return { key: viewKey(key), secret };
  },
});
