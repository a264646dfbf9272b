import Type from 'typebox';
import { ApiKeysResponse } from '../../schema/api-key.js';
import { uuid } from '../../schema/operator/uuid.js';
import { selectApiKeys } from '../../store/access/api-key.js';
import { operation } from '../http/operation.js';
import { viewKey } from '../key/view-key.js';
import { appResponse } from './view-app.js';

export const listKeys = operation({
  id: 'list-keys',
  path: '/operator/keys',
  tags: ['operator'],
  title: 'List keys of an app',
  summary: 'List the API keys of an app, without their secrets.',
  cost: { fixed: 0 },
  scope: 'operator',
  query: Type.Object({ app_uuid: uuid }),
  response: ApiKeysResponse,
  errors: [400, 403, 404],
  handle: async ({ query }, services) => {
    await appResponse(services, query.app_uuid);
    return { keys: (await selectApiKeys(services.db, query.app_uuid)).map(viewKey) };
  },
});
