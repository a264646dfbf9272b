import Type, { type Static, type TObject } from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { invalidField } from '../../error.js';
import { Fid } from '../../schema/fid.js';
import { EmbedContentType } from '../../schema/social/embed-url.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { stringEnum, stringEnumWith } from '../../schema/string-enum.js';
import { withSpellings } from '../../store/channel/spelling.js';
import { type EmbedTypes, selectEmbedCasts, selectTypedEmbedCasts } from '../../store/query/embed.js';
import { type FeedItem, selectCastsByParentUrls } from '../../store/query/feed.js';
import { selectAccountFeed } from '../../store/query/feed-account.js';
import { commaSeparated } from '../http/comma-separated.js';
import { experimentalHeader } from '../http/parameter.js';
import { channelUrls } from './channel-url.js';
import { type EmbedPrefix, embedTypes, readEmbedPrefix } from './embed-term.js';
import { type FeedPlace, feedOperation, membersOnly, withRecasts } from './feed-operation.js';
import { type FollowingFeed, followingReplies, nextFollowing, selectFollowing } from './following-feed.js';
import { selectTrending } from './trending-feed.js';

const QUERY = {
  feed_type: stringEnum(['following', 'filter'], { default: 'following' }),
  // The interface lost `global_trending` together with the trending feed; programs still ask for both.
  filter_type: Type.Optional(
    stringEnumWith(['fids', 'parent_url', 'channel_id', 'embed_url', 'embed_types'], ['global_trending']),
  ),
  fid: Type.Optional(Fid),
  fids: Type.Optional(commaSeparated(Fid, { maxItems: 100 })),
  parent_url: Type.Optional(Type.String()),
  channel_id: Type.Optional(Type.String()),
  members_only: membersOnly,
  embed_url: Type.Optional(Type.String({ description: 'What embedded URLs begin with.' })),
  embed_types: Type.Optional(commaSeparated(EmbedContentType, { repeatable: true })),
  with_recasts: withRecasts,
  with_replies: followingReplies,
};
type Query = Static<TObject<typeof QUERY>>;

/** What is chosen, by its kind. */
type Feed =
  | ({ readonly kind: 'following' } & FollowingFeed)
  | { readonly kind: 'fids'; readonly fids: readonly number[]; readonly with_recasts: boolean }
  | { readonly kind: 'parent_url'; readonly url: string }
  | { readonly kind: 'channel_id'; readonly id: string; readonly members_only: boolean }
  | ({ readonly kind: 'embed_url' } & EmbedPrefix)
  | { readonly kind: 'embed_types'; readonly types: EmbedTypes }
  | { readonly kind: 'global_trending' };

const given = <Name extends keyof Query>(query: Query, name: Name, when: string): NonNullable<Query[Name]> => {
  const value = query[name];
  if (value === undefined || value === null) throw invalidField(name, `${name} must be given with ${when}`);
  return value as NonNullable<Query[Name]>;
};

/** @throws AppError for what `feed_type` and `filter_type` need and the request lacks */
const feedOf = (query: Query): Feed => {
  const { with_recasts, with_replies, members_only } = query;
  // A request with `filter_type` but without fid must mean a filter, although feed_type has another default.
  const isFilter = query.feed_type === 'filter' || (query.fid === undefined && query.filter_type !== undefined);
  if (!isFilter)
    return { kind: 'following', fid: given(query, 'fid', 'feed_type following'), with_recasts, with_replies };
  const kind = given(query, 'filter_type', 'feed_type filter');
  const chosen = <Name extends keyof Query>(name: Name) => given(query, name, `filter_type ${kind}`);
  switch (kind) {
    case 'fids':
      return { kind, fids: [...new Set(chosen('fids'))].sort((a, b) => a - b), with_recasts };
    case 'parent_url':
      return { kind, url: chosen('parent_url') };
    case 'channel_id':
      return { kind, id: chosen('channel_id'), members_only };
    case 'embed_url':
      return { kind, ...readEmbedPrefix(chosen('embed_url')) };
    case 'embed_types':
      return { kind, types: embedTypes(chosen('embed_types')) };
    case 'global_trending':
      return { kind };
  }
};

const selectTopLevel = (read: ReadContext, parentUrls: readonly string[], membersOnly: boolean, place: FeedPlace) =>
  selectCastsByParentUrls(read, { parentUrls, withReplies: false, likedByLead: false, membersOnly }, place);

const select = async (read: ReadContext, feed: Feed, place: FeedPlace): Promise<readonly FeedItem[]> => {
  switch (feed.kind) {
    case 'following':
      return selectFollowing(read, feed, place);
    case 'fids': {
      const kinds = { casts: 'all', recasts: feed.with_recasts } as const;
      return selectAccountFeed(read, feed.fids, kinds, place, place.horizon);
    }
    case 'parent_url':
      return selectTopLevel(read, await withSpellings(read, [feed.url]), false, place);
    case 'channel_id':
      return selectTopLevel(read, await channelUrls(read, [feed.id]), feed.members_only, place);
    case 'embed_url':
      return selectEmbedCasts(read, [feed.term], feed.prefix, place);
    case 'embed_types':
      return selectTypedEmbedCasts(read, feed.types, place);
    case 'global_trending':
      return selectTrending(read, { window: '24h', parentUrls: null }, place);
  }
};

export const fetchFeed = feedOperation({
  id: 'fetch-feed',
  path: '/v2/social/feed/',
  tags: ['Feed'],
  title: 'Get a feed',
  summary: 'Read a feed chosen by feed_type and filter_type, latest first.',
  cost: { each: 4, of: 'limit' },
  headers: experimentalHeader,
  query: QUERY,
  parameters: {
    feed_type: {
      description: '`following` is what the accounts that `fid` follows wrote; `filter` is chosen by `filter_type`.',
      example: 'filter',
    },
    filter_type: {
      description: 'With `feed_type=filter`: what the feed is chosen by. The parameter of the same name must be given.',
      example: 'fids',
    },
    fid: { description: 'With `feed_type=following`: the account whose feed it is.' },
    fids: { description: 'With `filter_type=fids`: accounts, at most 100, separated by commas.', example: '1,2,3' },
    parent_url: { description: 'With `filter_type=parent_url`: the URL that the casts stand under.' },
    channel_id: { description: 'With `filter_type=channel_id`: the channel, like `dev`.' },
    embed_url: { description: 'With `filter_type=embed_url`: what embedded URLs begin with.' },
    embed_types: { description: 'With `filter_type=embed_types`: kinds of embedded content, like `image`.' },
  },
  response: FeedResponse,
  filters: ({ query }) => feedOf(query),
  select,
  next: (feed) => (feed.kind === 'following' ? nextFollowing(feed) : undefined),
});
