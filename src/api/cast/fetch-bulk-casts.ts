import Type from 'typebox';
import { CastsResponse } from '../../schema/cast.js';
import { viewCasts } from '../../view/cast-page.js';
import { commaSeparated } from '../comma-separated.js';
import { operation } from '../operation.js';
import { experimentalHeader, viewerFid } from '../parameter.js';
import { castHash, storedHash } from './cast-hash.js';
import { CAST_ORDERS, orderCasts } from './cast-order.js';

export const fetchBulkCasts = operation({
  id: 'fetch-bulk-casts',
  method: 'GET',
  path: '/v2/social/casts/',
  tags: ['Cast'],
  summary: 'Read several casts by hash, in the order asked for unless sorted; unknown ones are left out.',
  family: 'v2',
  scope: 'read',
  headers: experimentalHeader,
  query: Type.Object({
    // The contract sets no bound here; other lists of ids have this one.
    casts: commaSeparated(castHash, { maxItems: 100 }),
    viewer_fid: viewerFid,
    sort_type: Type.Optional(Type.Enum(CAST_ORDERS, { type: 'string' })),
  }),
  response: CastsResponse,
  errors: [400],
  handle: async ({ query, caller }, { hydrate, clock }) => {
    const hashes = [...new Set(query.casts.map(storedHash))];
    const audience = { appId: caller.appId, viewer: query.viewer_fid ?? null };
    const page = await hydrate.casts(hashes, { now: clock(), viewer: query.viewer_fid, audience });
    return viewCasts(query.sort_type === undefined ? hashes : orderCasts(hashes, query.sort_type, page), page);
  },
});
