import { notFound } from '../../error.js';
import { CastQuotesResponse } from '../../schema/social/cast.js';
import { selectCasts } from '../../store/query/cast.js';
import { selectQuotes } from '../../store/query/feed.js';
import { feedOperation } from '../feed/feed-operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { castIdentifier, readIdentifier } from './cast-identifier.js';

export const fetchCastQuotes = feedOperation({
  id: 'fetch-cast-quotes',
  path: '/v2/social/cast/quotes/',
  tags: ['Cast'],
  title: 'List quotes of a cast',
  summary: 'List casts that quote a cast, latest first.',
  cost: { each: 4, of: 'limit' },
  headers: experimentalHeader,
  query: castIdentifier,
  response: CastQuotesResponse,
  errors: [400, 404],
  filters: async ({ query }, read) => {
    const identified = await readIdentifier(query, read);
    const [quoted] = identified === undefined ? [] : await selectCasts(read, [identified]);
    if (quoted === undefined) throw notFound('No such cast is stored.', 'identifier');
    return { fid: quoted.fid, hash: quoted.hash };
  },
  select: selectQuotes,
});
