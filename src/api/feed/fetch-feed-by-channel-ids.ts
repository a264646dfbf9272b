import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { selectCastsByParentUrls } from '../../store/query/feed.js';
import { selectAccountFeed } from '../../store/query/feed-account.js';
import { commaSeparated } from '../http/comma-separated.js';
import { experimentalHeader } from '../http/parameter.js';
import { channelUrls } from './channel-url.js';
import { feedOperation, membersOnly, withRecasts, withReplies } from './feed-operation.js';

export const fetchFeedByChannelIds = feedOperation({
  id: 'fetch-feed-by-channel-ids',
  path: '/v2/social/feed/channels/',
  tags: ['Feed'],
  title: 'Get a channel feed',
  summary:
    'Read the casts of some channels, latest first; with fids, what these accounts wrote there and recast from there.',
  cost: { each: 4, of: 'limit' },
  headers: experimentalHeader,
  query: {
    channel_ids: commaSeparated(Type.String({ minLength: 1 }), { maxItems: 10 }),
    with_recasts: withRecasts,
    with_replies: withReplies,
    members_only: membersOnly,
    fids: Type.Optional(commaSeparated(Fid, { maxItems: 10 })),
    should_moderate: Type.Boolean({
      default: false,
      deprecated: true,
      description: "Keeps casts that the channel's lead likes.",
    }),
  },
  parameters: {
    channel_ids: { description: 'Channels, at most 10, separated by commas.', example: 'dev,food' },
    fids: { description: 'Keeps what these accounts wrote or recast, at most 10, separated by commas.' },
  },
  response: FeedResponse,
  filters: ({ query: { channel_ids, fids, with_recasts, with_replies, should_moderate, members_only } }) => ({
    ids: [...new Set(channel_ids)].sort(),
    fids: fids && [...new Set(fids)].sort((a, b) => a - b),
    ...{ with_recasts, with_replies, should_moderate, members_only },
  }),
  select: async (read, { ids, fids, with_recasts, with_replies, should_moderate, members_only }, place) => {
    const parentUrls = await channelUrls(read, ids);
    const places = { parentUrls, withReplies: with_replies, likedByLead: should_moderate, membersOnly: members_only };
    return fids === undefined
      ? selectCastsByParentUrls(read, places, place)
      : selectAccountFeed(read, fids, { casts: 'all', recasts: with_recasts, places }, place, place.horizon);
  },
});
