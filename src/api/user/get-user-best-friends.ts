import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { BestFriendsResponse } from '../../schema/social/best-friend.js';
import { selectBestFriends } from '../../store/query/best-friend.js';
import { viewBestFriends } from '../../view/best-friend.js';
import { listOperation } from '../page/list-operation.js';

export const getUserBestFriends = listOperation({
  id: 'get-user-best-friends',
  path: '/v2/social/user/best_friends/',
  tags: ['User'],
  title: "List a user's best friends",
  summary:
    'Rank the accounts with the highest mutual affinity to a user: likes, recasts, replies and mentions both ways.',
  cost: { each: 4, of: 'limit' },
  query: { fid: Fid },
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 3 }),
  parameters: { fid: { description: 'The account whose closest mutual contacts are listed.', example: 1 } },
  response: BestFriendsResponse,
  errors: [400, 500],
  invalidBody: 'validation',
  sortKey: Type.Object({ affinity: Type.Number(), fid: Type.Integer() }),
  filters: ({ query, caller }) => ({ fid: query.fid, appId: caller.appId }),
  isUncached: true,
  // Accounts that the user mutes or blocks, and those that block the user, are left out.
  select: (read, { fid, appId }, page) => selectBestFriends(read, fid, { appId, viewer: fid }, page),
  keyOf: (row) => row,
  view: async (rows, cursor, _, read) => {
    const users = await hydrateUsers(read, [], { dehydrated: rows.map(({ fid }) => fid) });
    return viewBestFriends(rows, users, cursor);
  },
});
