import Type from 'typebox';
import { MiniAppFaultsResponse } from '../../schema/portal/mini-app.js';
import { selectFaultyDomains } from '../../store/miniapp/catalog-fault.js';
import { operation } from '../http/operation.js';
import { viewManifestState } from './view-manifest-state.js';

const MAX_ROWS = 100;

export const listMiniAppFaults = operation({
  id: 'list-mini-app-faults',
  path: '/portal/mini-app-faults',
  tags: ['portal'],
  title: 'List faults of manifests',
  summary:
    'List domains whose manifest was not valid when it was read last, and why; they are read again by themselves.',
  cost: { fixed: 0 },
  scope: 'read',
  needsApp: true,
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_ROWS, default: MAX_ROWS, description: 'Domains of a page.' }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 300, description: '`next.cursor` of the page before.' })),
  }),
  response: MiniAppFaultsResponse,
  errors: [400],
  handle: async ({ query: { limit = MAX_ROWS, cursor = '' } }, { db }) => {
    const found = await selectFaultyDomains(db, cursor, limit + 1);
    const page = found.slice(0, limit);
    return {
      faults: page.map((row) => ({
        domain: row.domain,
        name: row.name,
        author_fid: row.authorFid,
        ...viewManifestState(row),
      })),
      next: { cursor: found.length > limit ? (page.at(-1)?.domain ?? null) : null },
    };
  },
});
