import Type from 'typebox';
import { isTimedOut } from '../../db/failure.js';
import { AppError } from '../../error.js';
import { Fid } from '../../schema/fid.js';
import { CastsSearchResponse } from '../../schema/social/cast.js';
import { stringEnum } from '../../schema/string-enum.js';
import { withSpellings } from '../../store/channel/spelling.js';
import { selectCastsByText } from '../../store/query/cast-search.js';
import { viewCastSearch } from '../../view/cast-page.js';
import { channelUrls } from '../feed/channel-url.js';
import { feedQuery, respondWithFeed } from '../feed/feed-page.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { readSearchQuery } from './search-query.js';
import { searchTooLong } from './search-too-long.js';

const ID = 'search-casts';
const END_OF_TIME = 2_147_483_647;

export const searchCasts = operation({
  id: ID,
  path: '/v2/social/cast/search/',
  tags: ['Cast'],
  summary: 'Search casts by their words, with optional filters; all filters must hold.',
  headers: experimentalHeader,
  query: Type.Object({
    q: Type.String({
      description:
        'Words that must be there. + and, | or, - not, "a phrase", "a phrase"~2 with others between, prefix*, ( ), ' +
        'before: and after: with a date or a date-time. It may come to 160 words, of which a phrase with ~ has many: ' +
        'each of its words counts once for every combination of distances.',
    }),
    mode: Type.Optional(
      stringEnum(['literal', 'semantic', 'hybrid'], {
        description: 'literal finds words. semantic and hybrid need a language model, and are not implemented: 501.',
      }),
    ),
    sort_type: Type.Optional(stringEnum(['desc_chron', 'chron'])),
    author_fid: Type.Optional(Fid),
    parent_url: Type.Optional(Type.String({ description: 'Keeps threads that began under this URL.' })),
    channel_id: Type.Optional(Type.String({ description: 'Keeps threads that began in this channel.' })),
    ...feedQuery(),
  }),
  response: CastsSearchResponse,
  read: async (request, read, services) => {
    const { q, mode = 'literal', sort_type: order = 'desc_chron', author_fid, parent_url, channel_id } = request.query;
    if (mode !== 'literal') {
      const message =
        `mode=${mode} is not implemented: it needs a language model, which this version does not have. ` +
        'Use mode=literal, or leave mode out, to find casts by their words.';
      throw new AppError('not_implemented', 'NotImplemented', message, { property: 'mode' });
    }
    const { words, from, until } = readSearchQuery(q);
    const filters = { words, from, until, order, author_fid, parent_url, channel_id };
    const skeleton: Parameters<typeof respondWithFeed>[4] = async (_, page, horizon) => {
      const channel = channel_id === undefined ? undefined : await channelUrls(read, [channel_id]);
      const place = parent_url === undefined ? undefined : await withSpellings(read, [parent_url]);
      // All filters must match: an unknown channel has no casts, and neither has a channel with another URL.
      const parentUrls = (channel && place ? channel.filter((url) => place.includes(url)) : (channel ?? place)) ?? null;
      if (parentUrls?.length === 0) return [];
      const search = { words, order, authorFid: author_fid ?? null, parentUrls, from: from ?? 0 };
      // In chronological order, new casts would otherwise extend the list without end.
      const end = order === 'chron' ? horizon + 1 : END_OF_TIME;
      const range = { ...search, until: Math.min(until ?? end, end) };
      return selectCastsByText(read, range, page).catch((error: unknown) => {
        throw isTimedOut(error) ? searchTooLong(['author_fid', 'channel_id', 'parent_url'], error) : error;
      });
    };
    return respondWithFeed(ID, request, { read, ...services }, filters, skeleton, viewCastSearch);
  },
});
