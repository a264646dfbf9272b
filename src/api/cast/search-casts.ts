import Type from 'typebox';
import { isTimedOut } from '../../db/failure.js';
import { AppError } from '../../error.js';
import { EMBEDDING_TIMEOUT_MS } from '../../model/embedding.js';
import { ModelError } from '../../model/endpoint.js';
import type { MeaningSearch } from '../../model/meaning.js';
import { LATEST_TIME } from '../../protocol/time.js';
import { Fid } from '../../schema/fid.js';
import { CastsSearchResponse } from '../../schema/social/cast.js';
import { stringEnum } from '../../schema/string-enum.js';
import { withSpellings } from '../../store/channel/spelling.js';
import { selectCastsByText } from '../../store/query/cast-search.js';
import type { FeedCursor, FeedItem, FeedPage } from '../../store/query/feed.js';
import { viewCastSearch } from '../../view/cast-page.js';
import { channelUrls } from '../feed/channel-url.js';
import { feedOperation } from '../feed/feed-operation.js';
import type { ReadServices } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { readMeaningQuery } from './meaning-query.js';
import { readSearchQuery, type SearchQuery } from './search-query.js';
import { searchTooLong } from './search-too-long.js';

type Order = 'desc_chron' | 'chron';

/** @throws AppError 'not_implemented' without an embedding model */
const requireMeaning = ({ meaning }: ReadServices): MeaningSearch => {
  if (meaning !== undefined) return meaning;
  const message =
    'mode=semantic and mode=hybrid need an embedding model, and this service has none: its operator sets ' +
    'CASTELLAN_EMBEDDING_URL and CASTELLAN_EMBEDDING_MODEL. Use mode=literal, or leave mode out, to find casts by their words.';
  throw new AppError('not_implemented', 'NotImplemented', message, { property: 'mode' });
};

const failed = (error: unknown): unknown => {
  if (isTimedOut(error)) return searchTooLong(['author_fid', 'channel_id', 'parent_url'], error);
  if (!(error instanceof ModelError)) return error;
  const message = `The embedding model gave no usable answer within ${EMBEDDING_TIMEOUT_MS / 1000} s. Try again later.`;
  return new AppError('internal', 'ModelFailed', message, { cause: error });
};

/** Sorts casts that two searches found, each of them once, and leaves out those of earlier pages. */
const pageOf = (found: readonly FeedItem[], order: Order, { after, limit }: FeedPage): FeedItem[] => {
  const sign = order === 'chron' ? 1 : -1;
  const compare = (a: FeedCursor, b: FeedCursor): number =>
    sign * (a.ts - b.ts || (a.entry === b.entry ? 0 : a.entry < b.entry ? -1 : 1));
  const once = [...new Map(found.map((one) => [one.hash, one])).values()];
  return once
    .filter((one) => after === undefined || compare(one, after) > 0)
    .sort(compare)
    .slice(0, limit);
};

export const searchCasts = feedOperation({
  id: 'search-casts',
  path: '/v2/social/cast/search/',
  tags: ['Cast'],
  title: 'Search casts',
  summary: 'Search casts by their words, with optional filters; all filters must hold.',
  cost: { each: 10, of: 'limit' },
  headers: experimentalHeader,
  query: {
    q: Type.String(),
    mode: Type.Optional(
      stringEnum(['literal', 'semantic', 'hybrid'], {
        description:
          'literal (default) finds words. semantic finds up to 100 casts that are closer in meaning to q than ' +
          'most, of the newest 10,000 that the filters leave; of the operators it knows before: and after:. hybrid finds what either finds. ' +
          'Both need an embedding model, which the operator configures: 501 without one.',
      }),
    ),
    sort_type: Type.Optional(stringEnum(['desc_chron', 'chron'])),
    author_fid: Type.Optional(Fid),
    parent_url: Type.Optional(Type.String({ description: 'Keeps threads that began under this URL.' })),
    channel_id: Type.Optional(Type.String({ description: 'Keeps threads that began in this channel.' })),
  },
  parameters: {
    q: {
      description:
        'Words that must all be there. `+` is and, `|` is or, `*` at the end of a word is any ending, `-` leaves out, quotes hold a phrase together.',
      example: 'welcome',
    },
    sort_type: { description: 'The order of the results; newest first (`desc_chron`) when absent.' },
    author_fid: { description: 'Keeps casts of this account.' },
  },
  response: CastsSearchResponse,
  waitsOutside: ({ mode }) => mode === 'semantic' || mode === 'hybrid',
  view: viewCastSearch,
  filters: ({ query }, _, services) => {
    const { q, mode = 'literal', sort_type: order = 'desc_chron', author_fid, parent_url, channel_id } = query;
    if (mode !== 'literal') requireMeaning(services);
    const found = mode === 'semantic' ? undefined : readSearchQuery(q);
    const meant = mode === 'literal' ? undefined : readMeaningQuery(q);
    const { from, until } = meant ?? (found as SearchQuery);
    return { words: found?.words, text: meant?.text, from, until, order, author_fid, parent_url, channel_id };
  },
  select: async (read, { words, text, from, until, order, author_fid, parent_url, channel_id }, page, services) => {
    const channel = channel_id === undefined ? undefined : await channelUrls(read, [channel_id]);
    const place = parent_url === undefined ? undefined : await withSpellings(read, [parent_url]);
    // All filters must match: an unknown channel has no casts, and neither has a channel with another URL.
    const parentUrls = (channel && place ? channel.filter((url) => place.includes(url)) : (channel ?? place)) ?? null;
    if (parentUrls?.length === 0) return [];
    // New casts would extend a chronological list without end, and take the place of others that are as close in meaning.
    const end = order === 'chron' || text !== undefined ? page.horizon + 1 : LATEST_TIME;
    const range = { from: from ?? 0, until: Math.min(until ?? end, end) };
    const scope = { ...range, authorFid: author_fid ?? null, parentUrls };
    const { audience } = page;
    const found = await Promise.all([
      words ? selectCastsByText(read, { ...scope, words, order }, page) : [],
      text === undefined ? [] : requireMeaning(services).closest(read, text, { ...scope, audience }),
    ]).catch((error: unknown) => {
      throw failed(error);
    });
    return text === undefined ? found[0] : pageOf(found.flat(), order, page);
  },
});
