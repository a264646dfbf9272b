import Type from 'typebox';
import { hydrateCasts } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { BulkCastsResponse } from '../../schema/social/cast.js';
import { selectPopularCasts } from '../../store/query/feed.js';
import { viewBulkCasts } from '../../view/cast-page.js';
import { operation } from '../http/operation.js';
import { viewerFid } from '../http/parameter.js';

const SHOWN = 10;

export const fetchPopularCastsByUser = operation({
  id: 'fetch-popular-casts-by-user',
  path: '/v2/social/feed/user/popular/',
  tags: ['Feed'],
  title: "List a user's popular casts",
  summary: 'Read the ten most popular casts of a user.',
  // Always ten casts.
  cost: { fixed: 40 },
  query: Type.Object({ fid: Fid, viewer_fid: viewerFid }),
  parameters: { fid: { description: 'The account whose casts are ranked.', example: 1 } },
  response: BulkCastsResponse,
  read: async ({ query, caller }, read) => {
    const audience = { appId: caller.appId, viewer: query.viewer_fid ?? null };
    const hashes = await selectPopularCasts(read, query.fid, audience, SHOWN);
    return viewBulkCasts(hashes, await hydrateCasts(read, hashes, { audience }));
  },
});
