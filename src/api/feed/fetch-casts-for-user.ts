import Type from 'typebox';
import { invalidField } from '../../error.js';
import { Fid } from '../../schema/fid.js';
import { FeedResponse } from '../../schema/social/feed.js';
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
      const parentUrl = channel_id === undefined ? parent_url : (await channelUrls(read, [channel_id]))[0];
      // An unknown channel has no casts.
      if (channel_id !== undefined && parentUrl === undefined) return [];
      const filter = { fid, parentUrl: parentUrl ?? null, withReplies: include_replies, appFid: app_fid ?? null };
      return selectAuthorCasts(read, filter, page);
    });
  },
});
