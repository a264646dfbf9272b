import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { fromUnixMs } from '../../protocol/time.js';
import { BestFriendsResponse } from '../../schema/social/best-friend.js';
import { Fid } from '../../schema/fid.js';
import { selectBestFriends } from '../../store/query/best-friend.js';
import { viewBestFriends } from '../../view/best-friend.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { operation } from '../operation.js';

const list = {
  operationId: 'get-user-best-friends',
  sortKey: Type.Object({ affinity: Type.Number(), fid: Type.Integer() }),
};

export const getUserBestFriends = operation({
  id: list.operationId,
  method: 'GET',
  path: '/v2/social/user/best_friends/',
  tags: ['User'],
  summary:
    'Rank the accounts with the highest mutual affinity to a user: likes, recasts, replies and mentions both ways.',
  family: 'v2',
  scope: 'read',
  query: Type.Object({
    fid: Fid,
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 3 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: BestFriendsResponse,
  errors: [400, 500],
  invalidBody: 'validation',
  read: async ({ query, caller }, read, { cursorKey }) => {
    const { fid, limit } = query;
    const filters = { fid, app: caller.appId };
    const before = decodeCursor(cursorKey, list, filters, query.cursor);
    const firstPageTime = before?.firstPageTime ?? read.now;
    // Whom the user muted or blocks, or is blocked by, is no friend.
    const audience = { appId: caller.appId, viewer: fid };
    const page = { horizon: fromUnixMs(firstPageTime), after: before?.sortKey, limit: limit + 1 };
    const found = await selectBestFriends(read, fid, audience, page);
    const friends = found.slice(0, limit);
    const last = found.length > limit ? friends.at(-1) : undefined;
    const dehydrated = friends.map((friend) => friend.fid);
    const users = await hydrateUsers(read, [], { dehydrated });
    const cursor = last === undefined ? null : encodeCursor(cursorKey, list, filters, { firstPageTime, sortKey: last });
    return viewBestFriends(friends, users, cursor);
  },
});
