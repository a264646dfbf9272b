import Type from 'typebox';
import { CastsResponse } from '../../schema/cast.js';
import { viewCasts } from '../../view/cast-page.js';
import { commaSeparated } from '../comma-separated.js';
import { answerList } from '../list-answer.js';
import { operation } from '../operation.js';
import { experimentalHeader, viewerFid } from '../parameter.js';
import { castHash, storedHash } from './cast-hash.js';
import { CAST_ORDERS, orderCasts } from './cast-order.js';

const ID = 'fetch-bulk-casts';

export const fetchBulkCasts = operation({
  id: ID,
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
  handle: ({ query, caller }, services) => {
    const { viewer_fid: viewer, sort_type: sort } = query;
    const hashes = [...new Set(query.casts.map(storedHash))];
    const audience = { appId: caller.appId, viewer: viewer ?? null };
    const now = services.clock();
    const request = { key: [ID, hashes, audience, sort], sources: [], now };
    // The list is what was asked for.
    const load = async () => ({ page: undefined, bytes: 0 });
    return answerList(services, request, load, async (_, basis) => {
      const page = await services.hydrate.casts(hashes, { now, viewer, audience, basis });
      return viewCasts(sort === undefined ? hashes : orderCasts(hashes, sort, page), page);
    });
  },
});
