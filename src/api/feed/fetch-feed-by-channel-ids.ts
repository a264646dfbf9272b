import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { selectCastsByParentUrls } from '../../store/query/feed.js';
import { selectAccountFeed } from '../../store/query/feed-account.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { channelUrls } from './channel-url.js';
import { feedQuery, membersOnly, respondWithFeed, withRecasts, withReplies } from './feed-page.js';

const ID = 'fetch-feed-by-channel-ids';

export const fetchFeedByChannelIds = operation({
  id: ID,
  path: '/v2/social/feed/channels/',
  tags: ['Feed'],
  summary:
    'Read the casts of some channels, latest first; with fids, what these accounts wrote there and recast from there.',
  headers: experimentalHeader,
  query: Type.Object({
    channel_ids: commaSeparated(Type.String({ minLength: 1 }), { maxItems: 10 }),
    ...feedQuery(),
    with_recasts: withRecasts,
    with_replies: withReplies,
    members_only: membersOnly,
    fids: Type.Optional(commaSeparated(Fid, { maxItems: 10 })),
    should_moderate: Type.Boolean({
      default: false,
      deprecated: true,
      description: "Keeps casts that the channel's lead likes.",
    }),
  }),
  response: FeedResponse,
  read: (request, read, services) => {
    const { with_recasts, with_replies, should_moderate, members_only } = request.query;
    const ids = [...new Set(request.query.channel_ids)].sort();
    const fids = request.query.fids && [...new Set(request.query.fids)].sort((a, b) => a - b);
    const filters = { ids, fids, with_recasts, with_replies, should_moderate, members_only };
    return respondWithFeed(ID, request, { read, ...services }, filters, async (_, page, horizon) => {
      const parentUrls = await channelUrls(read, ids);
      const places = { parentUrls, withReplies: with_replies, likedByLead: should_moderate, membersOnly: members_only };
      return fids === undefined
        ? selectCastsByParentUrls(read, places, page)
        : selectAccountFeed(read, fids, { casts: 'all', recasts: with_recasts, places }, page, horizon);
    });
  },
});
