import Type from 'typebox';
import { invalidField } from '../../error.js';
import { Fid } from '../../schema/fid.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { withSpellings } from '../../store/channel/spelling.js';
import { selectAuthorCasts } from '../../store/query/feed.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { channelUrls } from './channel-url.js';
import { feedQuery, respondWithFeed } from './feed-page.js';

const ID = 'fetch-casts-for-user';

export const fetchCastsForUser = operation({
  id: ID,
  path: '/v2/social/feed/user/casts/',
  tags: ['Feed'],
  summary: 'List the casts of a user, latest first.',
  headers: experimentalHeader,
  query: Type.Object({
    fid: Fid,
    app_fid: Type.Optional(Fid),
    ...feedQuery(150),
    include_replies: Type.Boolean({ default: true }),
    parent_url: Type.Optional(Type.String({ description: 'Keeps threads that began under this URL.' })),
    channel_id: Type.Optional(Type.String({ description: 'Keeps threads that began in this channel.' })),
  }),
  response: FeedResponse,
  errors: [400, 500],
  read: async (request, read, services) => {
    const { fid, app_fid, include_replies, parent_url, channel_id } = request.query;
    if (parent_url !== undefined && channel_id !== undefined) {
      throw invalidField('channel_id', 'channel_id cannot stand together with parent_url: leave one of them out');
    }
    const filters = { fid, app_fid, include_replies, parent_url, channel_id };
    return respondWithFeed(ID, request, { read, ...services }, filters, async (_, page) => {
      const place = parent_url === undefined ? null : await withSpellings(read, [parent_url]);
      // An unknown channel has no casts.
      const parentUrls = channel_id === undefined ? place : await channelUrls(read, [channel_id]);
      const filter = { fid, parentUrls, withReplies: include_replies, appFid: app_fid ?? null };
      return selectAuthorCasts(read, filter, page);
    });
  },
});
