import { createKey } from '../../access/key.js';
import { requireRoomForKey } from '../../access/key-limit.js';
import { CreatedApiKeyResponse } from '../../schema/api-key.js';
import { CreateOwnKeyReqBody } from '../../schema/portal/key.js';
import { operation } from '../http/operation.js';
import { changeOf } from '../operator/change.js';
import { endOfCaller, requireScopes } from './own-key.js';
import { viewKey } from './view-key.js';

export const createOwnKey = operation({
  id: 'create-own-key',
  method: 'POST',
  path: '/portal/keys',
  tags: ['portal'],
  title: 'Make a key of the app',
  summary:
    'Make an API key for the calling app, and return it this once. It may do no more than the calling key, and ends no later; it goes on when that is revoked. An app has at most 20 keys that work, unless operators make more.',
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
    const expiresAt = await endOfCaller(services.db, caller);
    const { appId } = caller;
    const change = changeOf(request, services);
    const { secret, ...key } = await createKey(services.db, {
      appId,
      name: body.name.trim(),
      scopes: body.scopes,
      ...(expiresAt && { expiresAt }),
      admit: (session) => requireRoomForKey(session, { appId, now: change.now, isSuccessor: false }),
      ...change,
    });
    return { key: viewKey(key), secret };
  },
});
