import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { BlockListResponse } from '../../schema/social/block.js';
import { selectBlocks } from '../../store/query/block.js';
import { viewBlocks } from '../../view/block.js';
import { experimentalHeader } from '../http/parameter.js';
import { listOperation } from '../page/list-operation.js';

export const fetchBlockList = listOperation({
  id: 'fetch-block-list',
  path: '/v2/social/block/list/',
  tags: ['Block'],
  title: 'List blocks',
  summary: 'List the blocks made by a user, made against a user, or both, newest first.',
  cost: { each: 2, of: 'limit' },
  headers: experimentalHeader,
  query: { blocker_fid: Type.Optional(Fid), blocked_fid: Type.Optional(Fid) },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
  parameters: {
    blocker_fid: { description: 'Lists the blocks made by this account. This or `blocked_fid` is needed.', example: 1 },
    blocked_fid: { description: 'Lists the blocks made against this account. This or `blocker_fid` is needed.' },
  },
  response: BlockListResponse,
  errors: [400, 404, 500],
  // Newest first, so blocks made while a client reads further pages do not shift those pages.
  sortKey: Type.Object({ ts: Type.Integer(), hash: Type.String() }),
  filters: ({ query: { blocker_fid: blocker, blocked_fid: blocked }, caller: { appId } }) => {
    if (blocker === undefined && blocked === undefined) {
      throw invalidField('blocker_fid', 'blocker_fid or blocked_fid must say whose blocks are meant');
    }
    return { blocker, blocked, appId };
  },
  isUncached: true,
  select: (read, { appId, ...filter }, { after, limit }) => selectBlocks(read, filter, { appId, after, limit }),
  keyOf: ({ ts, hash }) => ({ ts, hash }),
  view: async (rows, cursor, _, read) => {
    const fids = [...new Set(rows.flatMap((row) => [row.fid, row.blockedFid]))];
    return viewBlocks(rows, cursor, await hydrateUsers(read, fids, { listed: fids }));
  },
});
