import { ApiKeysResponse } from '../../schema/api-key.js';
import { selectApiKeys } from '../../store/access/api-key.js';
import { operation } from '../http/operation.js';
import { viewKey } from './view-key.js';

export const listOwnKeys = operation({
  id: 'list-own-keys',
  path: '/portal/keys',
  tags: ['portal'],
  title: 'List the keys of the app',
  summary: 'List the API keys of the calling app, without their secrets.',
  cost: { fixed: 0 },
  scope: 'portal',
  needsApp: true,
  response: ApiKeysResponse,
  errors: [403],
  handle: async ({ caller }, { db }) => ({ keys: (await selectApiKeys(db, caller.appId)).map(viewKey) }),
});
