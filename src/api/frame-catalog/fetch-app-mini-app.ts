import { AppMiniAppResponse } from '../../schema/portal/mini-app.js';
import { countClientTokens, selectDomainState } from '../../store/miniapp/catalog-fault.js';
import { selectMiniAppDomain } from '../../store/miniapp/mini-app.js';
import { operation } from '../http/operation.js';
import { viewManifestState } from './view-manifest-state.js';

export const fetchAppMiniApp = operation({
  id: 'fetch-app-mini-app',
  path: '/portal/mini-app',
  tags: ['portal'],
  title: 'Get the mini app of the app',
  summary: 'Read the domain of the mini app, the state of its manifest, and how many users may be notified.',
  cost: { fixed: 0 },
  scope: 'read',
  needsApp: true,
  response: AppMiniAppResponse,
  errors: [400],
  handle: async ({ caller: { appId } }, { db, publicUrl }) => {
    const [domain, counts] = await Promise.all([selectMiniAppDomain(db, appId), countClientTokens(db, appId)]);
    const state = domain === undefined ? undefined : await selectDomainState(db, domain);
    const countOf = (status: string): number => counts.find((one) => one.status === status)?.count ?? 0;
    return {
      domain: domain ?? null,
      event_url: `${publicUrl}/f/app/${appId}/event`,
      manifest: state === undefined ? null : viewManifestState(state),
      tokens: { enabled: countOf('enabled'), disabled: countOf('disabled'), invalid: countOf('invalid') },
    };
  },
});
