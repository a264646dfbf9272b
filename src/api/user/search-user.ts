import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { UserSearchResponse } from '../../schema/social/user.js';
import { searchUsers } from '../../store/query/user-search.js';
import { viewUserSearch } from '../../view/user-page.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';

const list = {
  operationId: 'search-user',
  sortKey: Type.Object({ tier: Type.Integer(), rank: Type.Number(), fid: Type.Integer() }),
};

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

export const searchUser = operation({
  id: list.operationId,
  path: '/v2/social/user/search/',
  tags: ['User'],
  summary: 'Search users by FID, by the beginning of the username, and by likeness of username and display name.',
  headers: experimentalHeader,
  query: Type.Object({
    q: Type.String({ description: 'A leading @ is left out.' }),
    viewer_fid: viewerFid,
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 10, default: 5 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: UserSearchResponse,
  read: async ({ query, caller }, read, { cursorKey }) => {
    const { viewer_fid: viewer } = query;
    const { text, fid } = readText(query.q);
    const filters = { text, viewer_fid: viewer, app: caller.appId };
    const { after, limit, cut } = openPage(cursorKey, list, filters, query, read.now);
    const audience = { appId: caller.appId, viewer: viewer ?? null };
    const { rows, cursor } = cut(await searchUsers(read, audience, { text, fid, after, limit }), (row) => row);
    const fids = rows.map((row) => row.fid);
    const page = await hydrateUsers(read, fids, { viewer });
    return viewUserSearch(fids, page, cursor);
  },
});
