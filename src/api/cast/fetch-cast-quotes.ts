import Type from 'typebox';
import { notFound } from '../../error.js';
import { CastQuotesResponse } from '../../schema/social/cast.js';
import { selectCasts } from '../../store/query/cast.js';
import { selectQuotes } from '../../store/query/feed.js';
import { feedQuery, respondWithFeed } from '../feed/feed-page.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { castIdentifier, readIdentifier } from './cast-identifier.js';

const ID = 'fetch-cast-quotes';

export const fetchCastQuotes = operation({
  id: ID,
  path: '/v2/social/cast/quotes/',
  tags: ['Cast'],
  summary: 'List casts that quote a cast, latest first.',
  headers: experimentalHeader,
  query: Type.Object({ ...castIdentifier, ...feedQuery() }),
  response: CastQuotesResponse,
  errors: [400, 404],
  read: async (request, read, services) => {
    const hash = await readIdentifier(request.query, read);
    const [quoted] = hash === undefined ? [] : await selectCasts(read, [hash]);
    if (quoted === undefined) throw notFound('No such cast is stored.', 'identifier');
    return respondWithFeed(ID, request, { read, ...services }, { quoted: quoted.hash }, (_, page) =>
      selectQuotes(read, quoted, page),
    );
  },
});
