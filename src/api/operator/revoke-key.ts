import { revokeKey as endKey } from '../../access/key.js';
import { ApiKeyResponse, RevokeKeyReqBody } from '../../schema/api-key.js';
import { operation } from '../http/operation.js';
import { viewKey } from '../key/view-key.js';
import { changeOf } from './change.js';

export const revokeKey = operation({
  id: 'revoke-key',
  method: 'DELETE',
  path: '/operator/key',
  tags: ['operator'],
  title: 'Revoke a key',
  summary: 'End a key for good; all services refuse it within a second.',
  cost: { fixed: 0 },
  scope: 'operator',
  body: RevokeKeyReqBody,
  bodyExample: { key_uuid: '00000000-0000-4000-8000-000000000003' },
  bodyExampleNote: 'Put in the `uuid` of one of your keys.',
  response: ApiKeyResponse,
  errors: [400, 403, 404],
  handle: async (request, services) => {
    const key = await endKey(services.db, { id: request.body.key_uuid, ...changeOf(request, services) });
    services.authenticator.forget();
    return { key: viewKey(key) };
  },
});
