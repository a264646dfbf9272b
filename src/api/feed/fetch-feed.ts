import Type, { type Static } from 'typebox';
import { invalidField } from '../../error.js';
import { Fid } from '../../schema/fid.js';
import { EmbedContentType } from '../../schema/social/embed-url.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { stringEnum } from '../../schema/string-enum.js';
import { withSpellings } from '../../store/channel/spelling.js';
import { selectEmbedCasts, selectTypedEmbedCasts } from '../../store/query/embed.js';
import { selectCastsByParentUrls } from '../../store/query/feed.js';
import { selectAccountFeed } from '../../store/query/feed-account.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { channelUrls } from './channel-url.js';
import { embedTypes, readEmbedPrefix } from './embed-term.js';
import {
  type CachedFeed,
  type FeedSkeleton,
  feedQuery,
  membersOnly,
  respondWithFeed,
  withRecasts,
} from './feed-page.js';
import { followingFeed, followingReplies } from './following-feed.js';

const ID = 'fetch-feed';

const Query = Type.Object({
  feed_type: stringEnum(['following', 'filter'], { default: 'following' }),
  filter_type: Type.Optional(stringEnum(['fids', 'parent_url', 'channel_id', 'embed_url', 'embed_types'])),
  fid: Type.Optional(Fid),
  fids: Type.Optional(commaSeparated(Fid, { maxItems: 100 })),
  parent_url: Type.Optional(Type.String()),
  channel_id: Type.Optional(Type.String()),
  members_only: membersOnly,
  embed_url: Type.Optional(Type.String({ description: 'What embedded URLs begin with.' })),
  embed_types: Type.Optional(commaSeparated(EmbedContentType, { repeatable: true })),
  with_recasts: withRecasts,
  with_replies: followingReplies,
  ...feedQuery(),
});
type Query = Static<typeof Query>;

interface Feed {
  readonly filters: Readonly<Record<string, unknown>>;
  readonly list: FeedSkeleton | CachedFeed;
}

const lacks = (name: string, when: string) => invalidField(name, `${name} must be given with ${when}`);

const given = <Name extends keyof Query>(query: Query, name: Name, when: string): NonNullable<Query[Name]> => {
  const value = query[name];
  if (value === undefined || value === null) throw lacks(name, when);
  return value as NonNullable<Query[Name]>;
};

const topLevelOf = (parentUrls: readonly string[], membersOnly: boolean) => ({
  parentUrls,
  withReplies: false,
  likedByLead: false,
  membersOnly,
});

const FILTERS: Readonly<Record<NonNullable<Query['filter_type']>, (query: Query) => Feed>> = {
  fids: (query) => {
    const fids = [...new Set(given(query, 'fids', 'filter_type fids'))].sort((a, b) => a - b);
    const feed = { casts: 'all', recasts: query.with_recasts } as const;
    return {
      filters: { fids, with_recasts: query.with_recasts },
      list: (read, page, horizon) => selectAccountFeed(read, fids, feed, page, horizon),
    };
  },
  parent_url: (query) => {
    const url = given(query, 'parent_url', 'filter_type parent_url');
    return {
      filters: { url },
      list: async (read, page) =>
        selectCastsByParentUrls(read, topLevelOf(await withSpellings(read, [url]), false), page),
    };
  },
  channel_id: (query) => {
    const id = given(query, 'channel_id', 'filter_type channel_id');
    return {
      filters: { id, members_only: query.members_only },
      list: async (read, page) =>
        selectCastsByParentUrls(read, topLevelOf(await channelUrls(read, [id]), query.members_only), page),
    };
  },
  embed_url: (query) => {
    const { term, prefix } = readEmbedPrefix(given(query, 'embed_url', 'filter_type embed_url'));
    return { filters: { term, prefix }, list: (read, page) => selectEmbedCasts(read, [term], prefix, page) };
  },
  embed_types: (query) => {
    const types = embedTypes(given(query, 'embed_types', 'filter_type embed_types'));
    return { filters: { types }, list: (read, page) => selectTypedEmbedCasts(read, types, page) };
  },
};

const following = (query: Query): Feed => {
  const fid = given(query, 'fid', 'feed_type following');
  const { with_recasts, with_replies } = query;
  return { filters: { fid, with_recasts, with_replies }, list: followingFeed(fid, with_recasts, with_replies) };
};

export const fetchFeed = operation({
  id: ID,
  path: '/v2/social/feed/',
  tags: ['Feed'],
  summary: 'Read a feed chosen by feed_type and filter_type, latest first.',
  headers: experimentalHeader,
  query: Query,
  response: FeedResponse,
  read: async (request, read, services) => {
    const { query } = request;
    // A request with `filter_type` but without fid must mean a filter, although feed_type has another default.
    const isFilter = query.feed_type === 'filter' || (query.fid === undefined && query.filter_type !== undefined);
    const kind = isFilter ? given(query, 'filter_type', 'feed_type filter') : 'following';
    const feed = kind === 'following' ? following : FILTERS[kind];
    const { filters, list } = feed(query);
    return respondWithFeed(ID, request, { read, ...services }, { kind, ...filters }, list);
  },
});
