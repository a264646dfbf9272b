import { revokeKey } from '../../access/key.js';
import { ApiKeyResponse, RevokeKeyReqBody } from '../../schema/api-key.js';
import { operation } from '../http/operation.js';
import { changeOf } from '../operator/change.js';
import { findOwnKey } from './own-key.js';
import { viewKey } from './view-key.js';

export const revokeOwnKey = operation({
  id: 'revoke-own-key',
  method: 'DELETE',
  path: '/portal/key',
  tags: ['portal'],
  title: 'Revoke a key of the app',
  summary: 'End a key of the calling app for good; all services refuse it within a second.',
  cost: { fixed: 0 },
  scope: 'portal',
  needsApp: true,
  body: RevokeKeyReqBody,
  bodyExample: { key_uuid: '00000000-0000-4000-8000-000000000003' },
  bodyExampleNote: 'Put in the `uuid` of one of your keys.',
  response: ApiKeyResponse,
  errors: [400, 403, 404],
  handle: async (request, services) => {
    const { id } = await findOwnKey(services.db, request.caller, request.body.key_uuid);
    const key = await revokeKey(services.db, { id, ...changeOf(request, services) });
    services.authenticator.forget();
    return { key: viewKey(key) };
  },
});
