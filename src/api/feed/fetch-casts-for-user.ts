import Type from 'typebox';
import { invalidField } from '../../error.js';
import { Fid } from '../../schema/fid.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { withSpellings } from '../../store/channel/spelling.js';
import { selectAuthorCasts } from '../../store/query/feed.js';
import { experimentalHeader } from '../http/parameter.js';
import { channelUrls } from './channel-url.js';
import { feedOperation } from './feed-operation.js';

export const fetchCastsForUser = feedOperation({
  id: 'fetch-casts-for-user',
  path: '/v2/social/feed/user/casts/',
  tags: ['Feed'],
  title: "List a user's casts",
  summary: 'List the casts of a user, latest first.',
  cost: { each: 4, of: 'limit' },
  headers: experimentalHeader,
  query: {
    fid: Fid,
    app_fid: Type.Optional(Fid),
    include_replies: Type.Boolean({ default: true }),
    parent_url: Type.Optional(Type.String({ description: 'Keeps threads that began under this URL.' })),
    channel_id: Type.Optional(Type.String({ description: 'Keeps threads that began in this channel.' })),
  },
  maximum: 150,
  parameters: {
    fid: { description: 'The account whose casts are listed.', example: 1 },
    app_fid: { description: 'Keeps casts that were written with this app.' },
    include_replies: { description: 'False leaves out replies to other casts.' },
  },
  response: FeedResponse,
  errors: [400, 500],
  filters: ({ query: { fid, app_fid, include_replies, parent_url, channel_id } }) => {
    if (parent_url !== undefined && channel_id !== undefined) {
      throw invalidField('channel_id', 'channel_id cannot stand together with parent_url: leave one of them out');
    }
    return { fid, app_fid, include_replies, parent_url, channel_id };
  },
  select: async (read, { fid, app_fid, include_replies, parent_url, channel_id }, place) => {
    const urls = parent_url === undefined ? null : await withSpellings(read, [parent_url]);
    // An unknown channel has no casts.
    const parentUrls = channel_id === undefined ? urls : await channelUrls(read, [channel_id]);
    return selectAuthorCasts(read, { fid, parentUrls, withReplies: include_replies, appFid: app_fid ?? null }, place);
  },
});
