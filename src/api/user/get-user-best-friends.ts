import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { fromUnixMs } from '../../protocol/time.js';
import { Fid } from '../../schema/fid.js';
import { BestFriendsResponse } from '../../schema/social/best-friend.js';
import { selectBestFriends } from '../../store/query/best-friend.js';
import { viewBestFriends } from '../../view/best-friend.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';

const list = {
  operationId: 'get-user-best-friends',
  sortKey: Type.Object({ affinity: Type.Number(), fid: Type.Integer() }),
};

export const getUserBestFriends = operation({
  id: list.operationId,
  path: '/v2/social/user/best_friends/',
  tags: ['User'],
  summary:
    'Rank the accounts with the highest mutual affinity to a user: likes, recasts, replies and mentions both ways.',
  query: Type.Object({
    fid: Fid,
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 3 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: BestFriendsResponse,
  errors: [400, 500],
  invalidBody: 'validation',
  read: async ({ query, caller }, read, { cursorKey }) => {
    const { fid } = query;
    const filters = { fid, app: caller.appId };
    const { firstPageTime, after, limit, cut } = openPage(cursorKey, list, filters, query, read.now);
    // Accounts that the user mutes or blocks, and those that block the user, are left out.
    const audience = { appId: caller.appId, viewer: fid };
    const page = { horizon: fromUnixMs(firstPageTime), after, limit };
    const { rows, cursor } = cut(await selectBestFriends(read, fid, audience, page), (row) => row);
    const users = await hydrateUsers(read, [], { dehydrated: rows.map((row) => row.fid) });
    return viewBestFriends(rows, users, cursor);
  },
});
