import Type from 'typebox';
import { hydrateAccounts } from '../../hydrate/account.js';
import { AppByApiKeyResponse } from '../../schema/portal/app.js';
import { selectApp } from '../../store/access/app.js';
import { operation } from '../http/operation.js';

export const appByApiKey = operation({
  id: 'app-by-api-key',
  path: '/portal/app_by_api_key',
  tags: ['portal'],
  title: 'Get the app of the key',
  summary: 'Read which app the calling key belongs to; generators of mini apps ask for it. Own extension.',
  cost: { fixed: 0 },
  scope: 'read',
  needsApp: true,
  query: Type.Object({ starter_kit: Type.Optional(Type.Boolean()) }),
  parameters: { starter_kit: { description: 'Accepted, and without effect.' } },
  response: AppByApiKeyResponse,
  errors: [400],
  handle: async ({ caller: { appId } }, { db, reads }) => {
    const app = await selectApp(db, appId);
    if (app === undefined) throw new Error(`the app ${appId} of a valid key is not stored`);
    const fid = app.fid;
    const account = fid === null ? undefined : (await hydrateAccounts(reads.open(), [fid])).get(fid);
    return { app_uuid: app.id, app_name: app.name, logo_url: account?.row.pfpUrl ?? null };
  },
});
