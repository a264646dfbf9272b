import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { UserSearchResponse } from '../../schema/social/user.js';
import { searchUsers } from '../../store/query/user-search.js';
import { viewUserSearch } from '../../view/user-page.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';
import { listOperation } from '../page/list-operation.js';

/** Longer than any name; comparing long texts is slow. */
const MAX_LENGTH = 100;

/** @returns the text to search for, in NFKC, in lower case and without `@`, and the fid that it may mean instead */
const readText = (q: string): { text: string; fid: number | undefined } => {
  const text = q.normalize('NFKC').trim().replace(/^@/, '').toLowerCase();
  if (text === '' || text.length > MAX_LENGTH) {
    throw invalidField('q', `q must hold 1 to ${MAX_LENGTH} characters of a name, or a FID`);
  }
  const digits = /^!?([1-9]\d{0,14})$/.exec(text)?.[1];
  return { text, fid: digits === undefined ? undefined : Number(digits) };
};

export const searchUser = listOperation({
  id: 'search-user',
  path: '/v2/social/user/search/',
  tags: ['User'],
  title: 'Search users',
  summary: 'Search users by FID, by the beginning of the username, and by likeness of username and display name.',
  cost: { each: 10, of: 'limit' },
  headers: experimentalHeader,
  query: { q: Type.String(), viewer_fid: viewerFid },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 10, default: 5 }),
  parameters: {
    q: { description: 'The beginning of a username, or a fid; a leading `@` is left out.', example: 'har' },
  },
  response: UserSearchResponse,
  sortKey: Type.Object({ tier: Type.Integer(), rank: Type.Number(), fid: Type.Integer() }),
  filters: ({ query, caller }) => ({ ...readText(query.q), viewer: query.viewer_fid ?? null, appId: caller.appId }),
  isUncached: true,
  select: (read, { text, fid, ...audience }, { after, limit }) =>
    searchUsers(read, audience, { text, fid, after, limit }),
  keyOf: (row) => row,
  view: async (rows, cursor, { query: { viewer_fid: viewer } }, read) => {
    const fids = rows.map(({ fid }) => fid);
    return viewUserSearch(fids, await hydrateUsers(read, fids, { viewer }), cursor);
  },
});
