import { DAY_MS } from '../../duration.js';
import { ApiKeysResponse } from '../../schema/api-key.js';
import { selectRecentApiKeys } from '../../store/access/api-key.js';
import { operation } from '../http/operation.js';
import { viewKey } from './view-key.js';

/** Days for which a key is listed after its end. */
const LISTED_DAYS = 30;

export const listOwnKeys = operation({
  id: 'list-own-keys',
  path: '/portal/keys',
  tags: ['portal'],
  title: 'List the keys of the app',
  summary:
    'List the API keys of the calling app, without their secrets, and without those that ended more than 30 days ago.',
  cost: { fixed: 0 },
  scope: 'portal',
  needsApp: true,
  response: ApiKeysResponse,
  errors: [403],
  handle: async ({ caller }, { db, clock }) => {
    const endedSince = new Date(clock() - LISTED_DAYS * DAY_MS);
    return { keys: (await selectRecentApiKeys(db, caller.appId, endedSince)).map(viewKey) };
  },
});
