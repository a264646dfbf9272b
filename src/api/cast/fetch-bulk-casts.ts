import Type from 'typebox';
import { hydrateCasts } from '../../hydrate/page.js';
import { EXAMPLE_HASH } from '../../schema/example.js';
import { CastsResponse } from '../../schema/social/cast.js';
import { stringEnum } from '../../schema/string-enum.js';
import { viewCasts } from '../../view/cast-page.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';
import { castHash, storedHash } from './cast-hash.js';
import { CAST_ORDERS, orderCasts } from './cast-order.js';

export const fetchBulkCasts = operation({
  id: 'fetch-bulk-casts',
  path: '/v2/social/casts/',
  tags: ['Cast'],
  title: 'Get casts by hash',
  summary: 'Read several casts by hash, in the order asked for unless sorted; unknown ones are left out.',
  cost: { each: 4, of: 'casts' },
  headers: experimentalHeader,
  query: Type.Object({
    // The contract sets no limit here; this is the limit of its other lists of ids.
    casts: commaSeparated(castHash, { maxItems: 100 }),
    viewer_fid: viewerFid,
    sort_type: Type.Optional(stringEnum(CAST_ORDERS)),
  }),
  parameters: {
    casts: {
      description: 'Hashes of casts, separated by commas.',
      example: `${EXAMPLE_HASH.root},${EXAMPLE_HASH.reply}`,
    },
    viewer_fid: { description: 'The account that looks: adds `viewer_context` to each cast.' },
    sort_type: { description: 'The order of the casts; as they were asked for when absent.' },
  },
  response: CastsResponse,
  read: async ({ query, caller }, read) => {
    const { viewer_fid: viewer, sort_type: sort } = query;
    const hashes = [...new Set(query.casts.map(storedHash))];
    const page = await hydrateCasts(read, hashes, { audience: { appId: caller.appId, viewer: viewer ?? null } });
    if (sort === undefined) return viewCasts(hashes, page);
    // The order by trend changes with time.
    if (sort === 'trending') read.endsAt(read.now);
    return viewCasts(orderCasts(hashes, sort, page, read.now), page);
  },
});
